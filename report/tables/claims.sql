-- The source's claims beside what was measured here, each with a verdict. SPDX-License-Identifier: MIT
-- caption: The source's claims beside what was measured here
-- caption.ru: Утверждения источника и результаты измерений
--
-- needs: report/claims.sql
--
-- `here` of a claim with several parts shows the parts that hold, of those that could be compared.
-- align: L{0.1}L{0.36}L{0.13}L{0.15}rL{0.15}
SELECT v.id AS "Claim", c.statement AS "What the source says",
       coalesce(c.published || iif(c.unit IN ('x', '%') OR c.published NOT GLOB '*[a-z]*', coalesce(' ' || c.unit, ''),
                                   ''), c.unit) AS "Published",
       CASE WHEN v.compared = 0 THEN NULL
            WHEN v.parts > 1 THEN v.holding || ' of ' || v.compared || ' parts'
            WHEN j.points > 1 THEN sig(j.least, 3) || '..' || sig(j.most, 3) || ', ' || j.holding || ' of ' || j.points
            ELSE sig(j.least, 3)
                 || iif(j.lo < j.hi AND j.lo > 0 AND j.hi < 1e300,
                        ' [' || sig(j.lo, 3) || ', ' || sig(j.hi, 3) || ']', '')
       END AS "Here",
       (SELECT max(o.n) FROM judged o WHERE o.host = v.host AND o.id = v.id) AS "to N",
       v.verdict || iif(v.flagged, ' (flagged or stale)', '') 
       || iif(v.reason <> '' AND (v.compared = 0 OR v.verdict = 'explained'), ': ' || v.reason, '')
         AS "Verdict"
FROM verdict v JOIN claims c ON c.rowid = v.row JOIN judged j ON j.row = v.row AND j.host = v.host
WHERE v.host = :host
  AND EXISTS (SELECT 1 FROM claims o
              WHERE o.id = v.id AND instr(' ' || o.studies || ' ', ' ' || :experiment || ' '))
ORDER BY v.row;
