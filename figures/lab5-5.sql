-- GFLOP/s of the kernels A, B and B* over n: the plot of table lab5-5.
-- SPDX-License-Identifier: MIT
-- title: What the transposed tile costs: A, B, B*
-- caption: Rate of the kernels A, B and B*, counted as $2n^3$ operations: B writes its tile transposed and meets bank
--   conflicts, the padding of B* removes them
CREATE TEMP TABLE three AS
SELECT g.*, c.style FROM good g JOIN curves c USING (cell)
WHERE g.idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad') AND g.tile = 32 AND coalesce(g.padding, 1) = 1;

-- name: curves
SELECT CASE idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' ELSE 'B*' END || ' (' || idea || ')' AS curve,
       style AS curve_style, 0 AS curve_dash, n, gflops AS y, gflops * median_s / coalesce(ci_hi_s, median_s) AS low,
       gflops * median_s / coalesce(ci_lo_s, median_s) AS high, flagged
FROM three ORDER BY precision, ord, n;

-- scalars
SELECT min(gflops) AS y_least, max(gflops) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM three ORDER BY n)) AS sizes
FROM three;
