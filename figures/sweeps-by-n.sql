-- Sweeps until convergence of solvers with and without an order of the rows, over n. SPDX-License-Identifier: MIT
-- caption: Sweeps until the residual is small enough, over $n$. A point is the median of a cell's runs, its band
--   reaches from the least to the most. Chaotic relaxation stands beside the given order and Jacobi. The right panel
--   shows the variants of the CPU alone
--
-- Jacobi's sweeps, measured or expected, are a curve of their own. The second panel has the variants of the CPU, which
-- lie near the exact order.
CREATE TEMP TABLE point AS
SELECT c.ord, c.curve, c.style, c.dash, s.side, s.n, s.middle AS y, s.least AS low, s.most AS high, s.flagged
FROM solved s JOIN curves c USING (cell)
WHERE s.chaotic OR s.idea = 'seq' OR s.idea GLOB '*-exact'
UNION ALL
SELECT 1000, 'Jacobi' || iif(max(measured) OVER (), '', ', expected'), 1, 0, '', n, (least + most) / 2.0, least, most, 0
FROM jacobi_sweeps WHERE n IN (SELECT n FROM solved);

-- name: curves
SELECT curve, style AS curve_style, dash AS curve_dash, n, y, low, high, flagged,
       iif(side = 'CPU', y, NULL) AS cpu, iif(side = 'CPU', low, NULL) AS cpu_low,
       iif(side = 'CPU', high, NULL) AS cpu_high
FROM point ORDER BY ord, dash, curve, n;

-- scalars
SELECT min(low) AS y_least, max(high) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM solved ORDER BY n)) AS sizes
FROM point;
