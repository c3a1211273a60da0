-- GFLOP/s of the kernels A, B and B* over n, and per cent of the peak: the plot of table lab5-5.
-- SPDX-License-Identifier: MIT
-- caption: Rate of the kernels A, B and B*, counted as $2n^3$ operations, and its share of the measured peak
CREATE TEMP TABLE three AS
SELECT g.*, c.style, p.gflops AS peak FROM good g JOIN curves c USING (cell) LEFT JOIN peak p USING (cell)
WHERE g.idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad') AND g.tile = 32 AND coalesce(g.padding, 1) = 1;

-- name: curves
SELECT CASE idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' ELSE 'B*' END || ' (' || idea || ', tile ' || tile
       || ')' AS curve,
       style AS curve_style, 0 AS curve_dash, n, gflops AS y, gflops * median_s / coalesce(ci_hi_s, median_s) AS low,
       gflops * median_s / coalesce(ci_lo_s, median_s) AS high, flagged, 100 * gflops / peak AS percent,
       100 * gflops / peak * median_s / coalesce(ci_hi_s, median_s) AS percent_low,
       100 * gflops / peak * median_s / coalesce(ci_lo_s, median_s) AS percent_high
FROM three ORDER BY precision, ord, n;

-- scalars
SELECT min(gflops) AS y_least, max(gflops) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM three ORDER BY n)) AS sizes
FROM three;
