-- The norm of C that each program computed, and the 2n^3 operations of a product. SPDX-License-Identifier: MIT
-- caption: The number of operations, and the norm $\|C\|_F$ of the result of each program on the inputs that most
--   programs had\each{. \hostbrief{}: norms of one size differ by at most \fact{difference} roundoffs of
--   \fact{precision}}
-- caption.ru: Число операций и норма $\|C\|_F$ результатов программ на входных данных, которые были у
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
SELECT what AS "Program", 'N = ' || n AS size, value FROM (
    SELECT 0 AS ord, 'operations' AS what, n, printf('%,d', 2 * n * n * n) AS value FROM good GROUP BY n
    UNION ALL
    SELECT ord, idea, n, printf('%.7g', norm) FROM normed
    WHERE coalesce(tile, 32) = 32 AND coalesce(padding, 1) = 1 GROUP BY ord, idea, n)
ORDER BY ord, n;

-- facts
WITH norm AS (SELECT n, precision, max(norm) / min(norm) - 1 AS difference FROM normed
              GROUP BY n, precision HAVING count(*) > 1)
SELECT :host AS host, precision, sig(max(difference) * iif(precision = 'f64', 9007199254740992.0, 16777216.0), 2)
         AS difference
FROM norm HAVING count(*) > 0;
