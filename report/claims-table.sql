-- What the sources claim beside what was measured on each host, with a verdict. SPDX-License-Identifier: MIT
--
-- A claim with several parts shows the parts that hold, of those that could be compared.
-- pivot: host outcome
-- align: lLL
SELECT v.id AS "Claim", c.statement AS "What the source says",
       coalesce(c.published || iif(c.unit IN ('x', '%') OR c.published NOT GLOB '*[a-z]*', coalesce(' ' || c.unit, ''),
                                   ''), c.unit) AS "Published",
       a.title AS host,
       v.verdict || iif(v.flagged, '†', '')
       || iif(v.verdict = 'explained', ' (' || v.section || ')', '')
       || CASE WHEN v.compared = 0 THEN iif(v.reason IN ('', 'not measured on this host')
                                                OR v.verdict = 'explained', '', ': ' || v.reason)
               WHEN v.parts > 1 THEN ': ' || v.holding || ' of ' || v.compared || ' parts'
               WHEN j.points > 1
                 THEN ': ' || sig(j.least, 3) || '..' || sig(j.most, 3) || ', ' || j.holding || ' of ' || j.points
               ELSE ': ' || sig(j.least, 3)
                    || iif(j.lo < j.hi AND j.lo > 0 AND j.hi < 1e300,
                           ' [' || sig(j.lo, 3) || ', ' || sig(j.hi, 3) || ']', '')
          END
       || coalesce(iif(v.compared, ', to n = ' || (SELECT max(o.n) FROM judged o WHERE o.host = v.host AND o.id = v.id),
                       ''), '') AS outcome
FROM verdict v JOIN about a USING (host) JOIN claims c ON c.rowid = v.row
JOIN judged j ON j.row = v.row AND j.host = v.host
WHERE v.id IN (SELECT id FROM shown_claim)
ORDER BY v.row, a.ord;
