-- The chapters as LaTeX: for each study its findings, then figures and tables in turn, the first figure before all
-- tables: a table may fill what a figure leaves of a page. Of a study that nothing of was measured, a report of many
-- has one line. A laboratory's study alone has its tables before its figures. Tables hold all hosts, figures have a
-- panel for each host. A chapter of its own has the claims of all studies. SPDX-License-Identifier: MIT
-- needs: chosen.sql
WITH measured AS (
    SELECT host, experiment, max(rounds) AS rounds, min(rounds) AS fewest,
           replace(group_concat(DISTINCT precision), ',', ', ')
           || iif(max(iif(backend = 'cpu', opt, NULL)) = 'O2', ', \texttt{-O2}', '') AS types
    FROM results WHERE status = 'ok' AND NOT probe GROUP BY host, experiment),
-- Where and how the numbers of a study were measured. Hosts of a class that have the same device share one place.
place AS (
    SELECT c.experiment, c.host, c.host_ord, count(*) OVER (PARTITION BY c.experiment) > 4 AS many,
           latex(coalesce(a.gpu, a.cpu, translated('another machine'))) AS device,
           '\place{' || latex(translated(a.name)) AS start,
           '}{' || coalesce(m.types, '') || '}{' AS types, coalesce(p.profiles, '') AS profiles,
           '}{' || coalesce(m.fewest, '') || '}{' || coalesce(m.rounds, '') || '}' AS rounds
    FROM chosen c JOIN about a USING (host)
    LEFT JOIN measured m USING (host, experiment) LEFT JOIN profiled p USING (host, experiment)
    WHERE (c.host, c.experiment) IN (SELECT host, experiment FROM own)),
places AS (
    SELECT experiment, group_concat(full, '; ') AS full
    FROM (SELECT experiment, min(host_ord) AS host_ord,
                 iif(count(*) > 1, '\place{' || count(*) || ' $\times$ ' || device, start) || types || profiles
                 || rounds AS full
          FROM place GROUP BY experiment, iif(many, device, host), types, profiles, rounds ORDER BY host_ord)
    GROUP BY experiment),
line(study_ord, part, ord, host_ord, text) AS (
    SELECT min(study_ord), -1, 0, 0, '\problemchapter{' || chapter || '}{'
           || coalesce((SELECT latex(title) FROM problems WHERE name = chapter),
                       iif(chapter IN (SELECT name FROM problems),
                           latex(upper(substr(chapter, 1, 1)) || substr(chapter, 2)), ''))
           || '}'
    FROM study GROUP BY chapter_ord
    UNION ALL
    SELECT study_ord, 0, 0, 0,
           iif(p.full IS NULL AND (SELECT count(*) FROM study) > 1, '\emptystudy{' || named,
               '\study{' || named || '}{' || coalesce(p.full, '') || '}{' || coalesce(prose(about), '')) || '}'
    FROM (SELECT *, experiment || '}{' || latex(title) || '}{' || latex(source) AS named FROM study)
    LEFT JOIN places p USING (experiment)
    UNION ALL
    SELECT study_ord, 1, 0, 0, '\studyfindings{' || experiment || '}' FROM study
    UNION ALL
    SELECT s.study_ord, 2, rank() OVER (PARTITION BY t.experiment ORDER BY min(t.ord)) - 1, 0,
           '\studytable{' || t.experiment || '}{' || t.name || '}'
    FROM printed t JOIN chosen c USING (host, experiment) JOIN study s USING (experiment)
    JOIN places p USING (experiment)
    WHERE t.name NOT GLOB '*[^a-z0-9-]*'
    GROUP BY t.experiment, t.name
    UNION ALL
    SELECT s.study_ord, 2, 99, 0, '\studytable{' || s.experiment || '}{verification}'
    FROM study s JOIN places p USING (experiment) WHERE s.experiment NOT IN (SELECT experiment FROM printed)
    UNION ALL
    SELECT s.study_ord, iif(EXISTS (SELECT 1 FROM laboratory), 3, 2),
           rank() OVER (PARTITION BY f.experiment ORDER BY min(f.ord)) - 1.5, 0,
           '\studyfigure{' || f.experiment || '}{' || f.name || '}{'
           || (SELECT group_concat('\panel{' || host || '}{' || latex(translated(title)) || '}', '')
               FROM (SELECT q.host, a.title FROM place q JOIN about a USING (host)
                     WHERE q.experiment = f.experiment ORDER BY a.ord)) || '}'
    FROM drawn f JOIN chosen c USING (host, experiment) JOIN study s USING (experiment)
    JOIN places p USING (experiment)
    WHERE f.name NOT GLOB '*[^a-z0-9-]*'
    GROUP BY f.experiment, f.name)
SELECT text FROM line ORDER BY study_ord, part, ord, host_ord;
