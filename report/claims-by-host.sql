-- What the sources claim beside what was measured, with a verdict of each host that can judge it; where all hosts say
-- the same, they share a row. The claims that no host can judge, or decides, are left to claims-apart.sql. A claim of a
-- direction alone is judged by a bound, which stands behind the measured value. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
-- align: lLLlL
WITH said AS (
    SELECT v.row, v.host, a.ord,
           marked(v.verdict || iif(v.verdict = 'explained', ' (' || v.section || ')', ''), v.flagged)
           || CASE WHEN v.compared = 0 THEN iif(v.reason IN ('', 'not measured on this host')
                                                    OR v.verdict = 'explained', '', ': ' || v.reason)
                   ELSE coalesce(': ' || t.value || coalesce(' ' || t.unit, '') || t.rest, '')
                        || iif(v.parts = 1 AND t.value IS NOT NULL AND c.relation IN ('>', '<')
                               AND c.published NOT IN ('', c.relation || printf('%g', c.value)),
                               ', judged ' || c.relation || ' ' || printf('%g', c.value), '')
                        || iif(v.verdict = 'undecided' AND v.reason <> '', ', ' || v.reason, '')
              END
           || coalesce(iif(v.compared, ', to n = ' || t.n, ''), '') AS measured
    FROM comparable v JOIN about a USING (host) JOIN claims c ON c.rowid = v.row
    JOIN told t ON t.id = v.id AND t.host = v.host
    WHERE v.id NOT IN (SELECT id FROM open_claim)),
counted AS (
    SELECT *, min(ord) OVER (PARTITION BY row) AS first, (SELECT count(*) FROM judging_host) AS judging,
           count(*) OVER (PARTITION BY row, measured) AS alike
    FROM said)
SELECT iif(s.ord = s.first, c.id, '') AS "Claim", iif(s.ord = s.first, c.statement, '') AS "What the source says",
       iif(s.ord = s.first, t.published, '') AS "Published",
       CASE WHEN s.judging < 2 THEN NULL WHEN s.alike = s.judging THEN 'all' ELSE s.host END AS "Host",
       s.measured AS "Measured"
FROM counted s JOIN claims c ON c.rowid = s.row JOIN told t ON t.id = c.id AND t.host = s.host
WHERE s.ord = s.first OR s.alike < s.judging
ORDER BY s.row, s.ord;
