-- The source's claims beside what was measured here, each with a verdict. SPDX-License-Identifier: MIT
-- caption: The source's claims beside what was measured here
-- caption.ru: Утверждения источника и результаты измерений
--
-- needs: ../judge-claims.sql
--
-- align: L{0.1}L{0.36}L{0.13}L{0.15}rL{0.15}
SELECT v.id AS "Claim", c.statement AS "What the source says",
       t.published AS "Published", t.measured AS "Here", t.n AS "to N",
       marked(v.verdict, v.flagged)
       || iif(v.reason <> '' AND (v.compared = 0 OR v.verdict IN ('explained', 'undecided')), ': ' || v.reason, '')
         AS "Verdict"
FROM verdict v JOIN claims c ON c.rowid = v.row JOIN told t ON t.id = v.id AND t.host = v.host
WHERE v.host = :host
  AND EXISTS (SELECT 1 FROM claims o
              WHERE o.id = v.id AND instr(' ' || o.studies || ' ', ' ' || :experiment || ' '))
ORDER BY v.row;
