-- Growth of elements in factorisations, with and without pivoting. SPDX-License-Identifier: MIT
-- problems: lu
-- caption: Largest element of $U$ over the largest of $A$\each{. \hostbrief{}: \iffact{none}{at most \fact{none}
--   without pivoting}\iffact{partial}{\iffact{none}{, }at most \fact{partial} with partial pivoting}}
-- caption.ru: Рост элементов: наибольший элемент $U$ к наибольшему $A$\each{. \hostbrief{}: \iffact{none}{не больше
--   \fact{none} без выбора ведущего элемента}\iffact{partial}{\iffact{none}{, }не больше \fact{partial} с частичным
--   выбором}}
--
-- Variants of one kind factor the same matrix.
-- group
-- align: rlllL{0.4}rr
SELECT c.n AS "n", c.precision AS "Type", iif(c.contract = 'partial', 'partial pivoting', c.contract) AS "Pivoting",
       iif(c.contract = 'none', 'dominant', 'general') AS "Matrix",
       (SELECT group_concat(idea, ', ') FROM (
            SELECT DISTINCT d.idea FROM cell d
            WHERE d.growth IS NOT NULL AND d.n = c.n AND d.precision = c.precision AND d.contract = c.contract
            ORDER BY d.ord)) AS "Variants",
       sig(min(c.growth), 3) AS "Least", sig(max(c.growth), 3) AS "Most"
FROM cell c
WHERE c.growth IS NOT NULL
GROUP BY c.n, c.precision, c.contract
ORDER BY c.n, c.precision, c.contract;

-- facts
SELECT :host AS host, sig(max(iif(contract = 'none', growth, NULL)), 3) AS none,
       sig(max(iif(contract = 'partial', growth, NULL)), 3) AS partial
FROM cell WHERE growth IS NOT NULL HAVING count(*) > 0;
