-- Sweeps of solvers without an order of the rows: least, median and most of their runs. SPDX-License-Identifier: MIT
-- caption: Sweeps of chaotic relaxation over the runs of each cell, beside the sweeps of Gauss--Seidel in order and
--   of Jacobi
-- group
WITH exact AS (SELECT n, precision, min(least) AS least, max(most) AS most FROM solved
               WHERE NOT chaotic AND problem = 'seidel' GROUP BY n, precision)
SELECT s.n AS "N", s.idea AS "Chaotic relaxation",
       coalesce(CAST(s.threads AS TEXT), ((s.n + s.tile - 1) / s.tile) || ' × ' || min(s.n, s.tile)) AS "Threads",
       s.runs AS "Runs",
       s.least AS "Least", CAST(round(s.middle) AS INTEGER) AS "Median", s.most AS "Most",
       e.least || iif(e.most > e.least, '..' || e.most, '') AS "in order",
       CAST(j.least AS INTEGER) || iif(j.most > j.least, '..' || CAST(j.most AS INTEGER), '') AS "Jacobi",
       sig(s.middle / ((e.least + e.most) / 2.0), 3) AS "x in order",
       sig(100 * s.middle / ((j.least + j.most) / 2.0), 2) AS "% of Jacobi"
FROM solved s JOIN exact e USING (n, precision) LEFT JOIN jacobi_sweeps j USING (n, precision)
WHERE s.chaotic
ORDER BY s.n, s.ord, s.threads, s.tile;
