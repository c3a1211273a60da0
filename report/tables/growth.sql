-- Growth of elements in factorisations, with and without pivoting. SPDX-License-Identifier: MIT
-- caption: Growth of elements: the largest element of $U$ over the largest of $A$, least and most over the variants,
--   tiles and threads of a row.\each{ \host: \iffact{none}{without pivoting, on dominant matrices, it is at most
--   \fact{none}}\iffact{partial}{\iffact{none}{; }with partial pivoting, on general matrices, at most \fact{partial}}.}
--   Variants of one kind factor the same matrix
-- caption.ru: Рост элементов: отношение наибольшего элемента $U$ к наибольшему элементу $A$, наименьшее и наибольшее по
--   вариантам, тайлам и потокам строки.\each{ \host: \iffact{none}{без выбора ведущего элемента, для матриц с
--   диагональным преобладанием, не больше \fact{none}}\iffact{partial}{\iffact{none}{; }с частичным выбором, для матриц
--   общего вида, не больше \fact{partial}}.} Варианты одного вида раскладывают одну и ту же матрицу
--
-- Variants of one kind factor the same matrix.
-- group
-- align: rlllL{0.4}rr
WITH kind AS (SELECT name, max(pivoting) AS pivoting FROM variants WHERE host = :host AND experiment = :experiment
              GROUP BY name)
SELECT c.n AS "n", c.precision AS "Type", k.pivoting AS "Pivoting",
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
