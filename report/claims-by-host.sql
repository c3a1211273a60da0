-- What the sources claim beside what was measured, with a verdict of each host that can judge it. The claims that no
-- host can judge, or decides, are left to claims-apart.sql. A claim of a direction alone is judged by a bound, which
-- stands behind the measured value. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
-- align: lLLlL
WITH placed AS (
    SELECT v.*, a.ord, row_number() OVER (PARTITION BY v.row ORDER BY a.ord) = 1 AS first
    FROM comparable v JOIN about a USING (host) WHERE v.id NOT IN (SELECT id FROM open_claim))
SELECT iif(v.first, v.id, '') AS "Claim", iif(v.first, c.statement, '') AS "What the source says",
       iif(v.first, t.published, '') AS "Published",
       iif((SELECT count(*) FROM judging_host) > 1, v.host, NULL) AS "Host",
       marked(v.verdict || iif(v.verdict = 'explained', ' (' || v.section || ')', ''), v.flagged)
       || CASE WHEN v.compared = 0 THEN iif(v.reason IN ('', 'not measured on this host')
                                                OR v.verdict = 'explained', '', ': ' || v.reason)
               ELSE coalesce(': ' || t.value || coalesce(' ' || t.unit, '') || t.rest, '')
                    || iif(v.parts = 1 AND t.value IS NOT NULL AND c.relation IN ('>', '<')
                           AND c.published NOT IN ('', c.relation || printf('%g', c.value)),
                           ', judged ' || c.relation || ' ' || printf('%g', c.value), '')
                    || iif(v.verdict = 'undecided' AND v.reason <> '', ', ' || v.reason, '')
          END
       || coalesce(iif(v.compared, ', to n = ' || t.n, ''), '') AS "Measured"
FROM placed v JOIN claims c ON c.rowid = v.row JOIN told t ON t.id = v.id AND t.host = v.host
ORDER BY v.row, v.ord;
