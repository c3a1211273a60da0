-- Growth of elements in factorisations, with and without pivoting. SPDX-License-Identifier: MIT
-- problems: lu
-- caption: Largest element of $U$ over the largest of $A$.\each{ \hostbrief{}: \iffact{none}{at most \fact{none}
--   without pivoting (dominant matrices)}\iffact{partial}{\iffact{none}{, }at most \fact{partial} with partial pivoting
--   (general matrices)}.} Variants of one kind factor the same matrix
-- caption.ru: Отношение наибольшего элемента $U$ к наибольшему элементу $A$.\each{ \hostbrief{}: \iffact{none}{не
--   больше \fact{none} без выбора ведущего элемента (диагональное преобладание)}\iffact{partial}{\iffact{none}{, }не
--   больше \fact{partial} с частичным выбором (матрицы общего вида)}.} Варианты одного вида раскладывают одну матрицу
--
-- Variants of one kind factor the same matrix.
-- group
-- align: rlllL{0.4}rr
WITH kind AS (SELECT name, max(pivoting) AS pivoting FROM variants WHERE host = :host AND experiment = :experiment
              GROUP BY name)
SELECT c.n AS "n", c.precision AS "Type", iif(k.pivoting = 'partial', 'partial pivoting', k.pivoting) AS "Pivoting",
       iif(k.pivoting = 'none', 'dominant', 'general') AS "Matrix",
       (SELECT group_concat(idea, ', ') FROM (
            SELECT DISTINCT d.idea FROM cell d JOIN kind l ON l.name = d.variant
            WHERE d.growth IS NOT NULL AND d.n = c.n AND d.precision = c.precision AND l.pivoting = k.pivoting
            ORDER BY d.ord)) AS "Variants",
       sig(min(c.growth), 3) AS "Least", sig(max(c.growth), 3) AS "Most"
FROM cell c JOIN kind k ON k.name = c.variant
WHERE c.growth IS NOT NULL
GROUP BY c.n, c.precision, k.pivoting
ORDER BY c.n, c.precision, k.pivoting;

-- facts
WITH kind AS (SELECT name, max(pivoting) AS pivoting FROM variants WHERE host = :host AND experiment = :experiment
              GROUP BY name)
SELECT :host AS host, sig(max(iif(k.pivoting = 'none', c.growth, NULL)), 3) AS none,
       sig(max(iif(k.pivoting = 'partial', c.growth, NULL)), 3) AS partial
FROM cell c JOIN kind k ON k.name = c.variant WHERE c.growth IS NOT NULL HAVING count(*) > 0;
