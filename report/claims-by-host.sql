-- What the sources claim beside what was measured, with a verdict of each host that can judge it. The claims that no
-- host can judge are left to claims-apart.sql. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
-- align: lLLlL
WITH judged AS (
    SELECT v.row, v.id, v.host, a.ord, t.published,
           marked(v.verdict || iif(v.verdict = 'explained', ' (' || v.section || ')', ''), v.flagged)
           || CASE WHEN v.compared = 0 THEN iif(v.reason IN ('', 'not measured on this host')
                                                    OR v.verdict = 'explained', '', ': ' || v.reason)
                   ELSE coalesce(': ' || t.value || coalesce(' ' || t.unit, '') || t.rest, '')
                        || iif(v.verdict = 'undecided' AND v.reason <> '', ', ' || v.reason, '')
              END
           || coalesce(iif(v.compared, ', to n = ' || t.n, ''), '') AS outcome,
           v.verdict NOT IN ('not comparable here', 'other hardware') AS decides
    FROM verdict v JOIN about a USING (host) JOIN told t ON t.id = v.id AND t.host = v.host
    WHERE v.id IN (SELECT id FROM shown_claim) AND v.host IN (SELECT host FROM judging_host)
      AND v.id NOT IN (SELECT id FROM unjudged))
SELECT iif(j.ord = f.first, j.id, '') AS "Claim", iif(j.ord = f.first, c.statement, '') AS "What the source says",
       iif(j.ord = f.first, j.published, '') AS "Published",
       iif((SELECT count(*) FROM judging_host) > 1, j.host, NULL) AS "Host", j.outcome AS "Measured"
FROM judged j JOIN claims c ON c.rowid = j.row
JOIN (SELECT row, min(ord) AS first FROM judged WHERE decides GROUP BY row) f ON f.row = j.row
WHERE j.decides ORDER BY j.row, j.ord;
