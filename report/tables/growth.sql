-- Growth of elements in factorisations, with and without pivoting. SPDX-License-Identifier: MIT
-- caption: Growth of elements: the largest element of $U$ over the largest of $A$, least and most over the variants,
--   tiles and threads of a row. Without pivoting, the growth of dominant matrices stays below 2
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
