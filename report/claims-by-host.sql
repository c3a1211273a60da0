-- What the sources claim beside what was measured on each host, with a verdict. The claims that no host can judge are
-- left to claims-apart.sql. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
-- pivot: host outcome
-- align: lLL
SELECT v.id AS "Claim", c.statement AS "What the source says",
       t.published AS "Published",
       a.title AS host,
       marked(v.verdict || iif(v.verdict = 'explained', ' (' || v.section || ')', ''), v.flagged)
       || CASE WHEN v.compared = 0 THEN iif(v.reason IN ('', 'not measured on this host')
                                                OR v.verdict = 'explained', '', ': ' || v.reason)
               ELSE coalesce(': ' || t.value || coalesce(' ' || t.unit, '') || t.rest, '')
                    || iif(v.verdict = 'undecided' AND v.reason <> '', ', ' || v.reason, '')
          END
       || coalesce(iif(v.compared, ', to n = ' || t.n, ''), '') AS outcome
FROM verdict v JOIN about a USING (host) JOIN claims c ON c.rowid = v.row
JOIN told t ON t.id = v.id AND t.host = v.host
WHERE v.id IN (SELECT id FROM shown_claim) AND v.host IN (SELECT host FROM judging_host)
  AND v.id NOT IN (SELECT id FROM unjudged)
ORDER BY v.row, a.ord;
