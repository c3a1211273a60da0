-- What the sources claim beside what was measured, with a verdict of each host that can judge it; hosts that say the
-- same share a row. The claims that no host can judge, or decides, are left to claims-apart.sql. A claim of a direction
-- alone is judged by a bound, which stands behind the measured value. SPDX-License-Identifier: MIT
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
    WHERE v.id NOT IN (SELECT id FROM open_claim) ORDER BY a.ord),
shared AS (
    SELECT row, measured, min(ord) AS ord, count(*) AS hosts, group_concat(host, ', ') AS host
    FROM said GROUP BY row, measured),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY row ORDER BY ord) = 1 AS first,
           (SELECT count(*) FROM judging_host) AS judging
    FROM shared)
SELECT iif(p.first, c.id, '') AS "Claim", iif(p.first, c.statement, '') AS "What the source says",
       iif(p.first, t.published, '') AS "Published",
       CASE WHEN p.judging < 2 THEN NULL WHEN p.hosts = p.judging THEN 'all' ELSE p.host END AS "Host",
       p.measured AS "Measured"
FROM placed p JOIN claims c ON c.rowid = p.row
JOIN (SELECT id, max(published) AS published FROM told GROUP BY id) t ON t.id = c.id
ORDER BY p.row, p.ord;
