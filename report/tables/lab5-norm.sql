-- The norm of C that each program computed, and the 2n^3 operations of a product. SPDX-License-Identifier: MIT
-- caption: The number of operations, and the norm $\|C\|_F$ of the result of each program\each{. \hostbrief{}: norms of
--   one size differ by at most \fact{difference} roundoffs of \fact{precision}}
-- caption.ru: Число операций и норма $\|C\|_F$ результатов программ\each{. \hostbrief{}: нормы при одном размере
--   различаются не более чем на \fact{difference} единицы округления \fact{precision}}
--
-- pivot: size value
SELECT what AS "Program", 'N = ' || n AS size, value FROM (
    SELECT 0 AS ord, 'operations' AS what, n, printf('%,d', 2 * n * n * n) AS value FROM good GROUP BY n
    UNION ALL
    SELECT ord, idea, n, printf('%.7g', sqrt(norm2)) FROM good
    WHERE norm2 IS NOT NULL AND coalesce(tile, 32) = 32 AND coalesce(padding, 1) = 1 GROUP BY ord, idea, n)
ORDER BY ord, n;

-- facts
WITH norm AS (SELECT n, precision, max(sqrt(norm2)) / min(sqrt(norm2)) - 1 AS difference FROM good WHERE norm2 > 0
              GROUP BY n, precision HAVING count(*) > 1)
SELECT :host AS host, precision, sig(max(difference) * iif(precision = 'f64', 9007199254740992.0, 16777216.0), 2)
         AS difference
FROM norm HAVING count(*) > 0;
