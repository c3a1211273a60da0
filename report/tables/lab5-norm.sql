-- The norms of C that the programs computed, and the 2n^3 operations of a product. SPDX-License-Identifier: MIT
-- caption: The number of operations, and the norms $\|C\|_F$ of the results of all programs on the inputs that most
--   programs had\each{. \hostbrief{}: norms of one size differ by at most \fact{difference} roundoffs of
--   \fact{precision}}
-- caption.ru: Число операций и нормы $\|C\|_F$ результатов всех программ на входных данных, которые были у
--   большинства\each{. \hostbrief{}: нормы при одном размере различаются не более чем на \fact{difference} единицы
--   округления \fact{precision}}
--
-- Cells of later runs have inputs from other seeds, so that their norms say nothing of the programs.
CREATE TEMP TABLE normed AS
WITH seeded AS (
    SELECT g.*, sqrt(g.norm2) AS norm,
           iif(instr(r.measure, 'seed='), substr(r.measure, instr(r.measure, 'seed=')), '') AS seed
    FROM good g JOIN results r USING (host, experiment, cell) WHERE g.norm2 > 0),
counted AS (
    SELECT n, precision, seed, row_number() OVER (PARTITION BY n, precision ORDER BY count(*) DESC, seed) AS turn
    FROM seeded GROUP BY n, precision, seed)
SELECT s.* FROM seeded s JOIN counted USING (n, precision, seed) WHERE turn = 1;

-- pivot: size value
WITH told AS (
    SELECT n, precision, count(DISTINCT idea) AS programs, min(norm) AS least, max(norm) AS greatest
    FROM normed GROUP BY n, precision),
quantity AS (
    SELECT NULL AS precision, 0 AS ord, 'operations' AS what, n, printf('%,d', 2 * n * n * n) AS value
    FROM good GROUP BY n
    UNION ALL SELECT precision, 1, 'programs', n, programs FROM told
    UNION ALL SELECT precision, 2, 'least norm', n, printf('%.7g', least) FROM told
    UNION ALL SELECT precision, 3, 'greatest norm', n, printf('%.7g', greatest) FROM told)
SELECT what AS "Quantity", iif((SELECT count(DISTINCT precision) FROM told) > 1, precision, NULL) AS "Type",
       'N = ' || n AS size, value
FROM quantity ORDER BY precision, ord, n;

-- facts
WITH norm AS (SELECT n, precision, max(norm) / min(norm) - 1 AS difference FROM normed
              GROUP BY n, precision HAVING count(*) > 1)
SELECT :host AS host, precision, sig(max(difference) * iif(precision = 'f64', 9007199254740992.0, 16777216.0), 2)
         AS difference
FROM norm HAVING count(*) > 0;
