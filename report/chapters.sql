-- The chapters as LaTeX: one \study, and for each host its tables, figures and facts. A host without a verified own
-- variant shows the reason instead of tables and figures. SPDX-License-Identifier: MIT
WITH own AS (
    SELECT DISTINCT host, experiment FROM results
    WHERE status = 'ok' AND NOT probe AND NOT vendor),
sampled AS (
    SELECT host, experiment, group_concat(DISTINCT precision) AS precision, max(rounds) AS rounds,
           min(rounds) AS fewest, min(samples) AS least, max(samples) AS most
    FROM results WHERE status = 'ok' AND NOT probe GROUP BY host, experiment),
caption AS (
    SELECT c.host, c.experiment,
           latex(a.label || iif(c.local, coalesce(' (' || a.cpu || coalesce(', ' || a.gpu, '') || ')', ''), ''))
           || coalesce(', ' || latex(s.precision), '')
           || CASE WHEN s.rounds > 1 THEN ', median of ' || iif(s.fewest < s.rounds, s.fewest || '--', '') || s.rounds
           || ' rounds, '
                                          || s.least || iif(s.most > s.least, '--' || s.most, '') || ' samples a cell'
                   WHEN s.rounds = 1 THEN ', one round' ELSE '' END AS text
    FROM chosen c JOIN about a USING (host) LEFT JOIN sampled s USING (host, experiment))
SELECT line FROM (
    SELECT chapter, -1 AS host_ord, 0 AS part, 0 AS ord,
           '\study{' || experiment || '}{' || latex(title) || '}{' || latex(source) || '}' AS line
    FROM study
    UNION ALL
    SELECT s.chapter, c.host_ord, 1, 0, '\studyhost{' || c.host || '}{' || c.experiment || '}{' || latex(a.label)
           || '}{' || coalesce(latex(p.profiles), latex(e.profile), '')
           || '}{' || coalesce(date(e.measured_at, 'unixepoch'), 'unknown date') || '}'
    FROM chosen c JOIN study s USING (experiment) JOIN about a USING (host)
    LEFT JOIN experiments e ON e.host = c.host AND e.name = c.experiment
    LEFT JOIN profiled p ON p.host = c.host AND p.experiment = c.experiment
    UNION ALL
    SELECT s.chapter, c.host_ord, 3, 0, '\studynothing{' || c.host || '}{' || c.experiment || '}'
    FROM chosen c JOIN study s USING (experiment)
    WHERE (c.host, c.experiment) NOT IN (SELECT host, experiment FROM own)
    UNION ALL
    SELECT s.chapter, c.host_ord, 2, 0, '\studyfacts{' || c.host || '}{' || c.experiment || '}'
    FROM chosen c JOIN study s USING (experiment)
    UNION ALL
    SELECT s.chapter, c.host_ord, 3, t.ord, '\studytable{' || t.host || '}{' || t.experiment || '}{' || t.name || '}{'
           || p.text || '}'
    FROM tables t JOIN chosen c USING (host, experiment) JOIN study s USING (experiment)
    JOIN caption p USING (host, experiment)
    WHERE t.name NOT GLOB '*[^a-z0-9-]*' AND (t.host, t.experiment) IN (SELECT host, experiment FROM own)
    UNION ALL
    SELECT s.chapter, c.host_ord, 3, 99, '\studytable{' || c.host || '}{' || c.experiment || '}{verification}{'
           || p.text || '}'
    FROM chosen c JOIN study s USING (experiment) JOIN caption p USING (host, experiment)
    WHERE c.experiment NOT IN (SELECT experiment FROM tables)
    UNION ALL
    SELECT s.chapter, c.host_ord, 4, f.ord, '\studyfigure{' || f.host || '}{' || f.experiment || '}{' || f.name || '}{'
           || p.text || '}'
    FROM figures f JOIN chosen c USING (host, experiment) JOIN study s USING (experiment)
    JOIN caption p USING (host, experiment)
    WHERE f.name NOT GLOB '*[^a-z0-9-]*' AND (f.host, f.experiment) IN (SELECT host, experiment FROM own)
    UNION ALL
    SELECT s.chapter, c.host_ord, 5, 0, '\studytable{' || c.host || '}{' || c.experiment || '}{outcomes}{'
           || latex(a.label) || '}'
    FROM chosen c JOIN study s USING (experiment) JOIN about a USING (host)
    UNION ALL
    SELECT chapter, 1000, 6, 0, '\studyend' FROM study)
ORDER BY chapter, host_ord, part, ord, line;
