-- The norm of C that each program computed, and the operations of a product. SPDX-License-Identifier: MIT
-- caption: The number of operations, and the norm $\|C\|_F$ of the result of each program
-- pivot: size value
SELECT what AS "Program", 'N = ' || n AS size, value FROM (
    SELECT 0 AS ord, 'operations' AS what, n, printf('%,d', flops) AS value FROM good GROUP BY n
    UNION ALL
    SELECT ord, idea, n, printf('%.7g', sqrt(norm2)) FROM good
    WHERE norm2 IS NOT NULL AND coalesce(tile, 32) = 32 AND coalesce(padding, 1) = 1 GROUP BY ord, idea, n)
ORDER BY ord, n;
