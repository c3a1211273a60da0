-- Sweeps until convergence of solvers with and without an order of the rows, over n. SPDX-License-Identifier: MIT
-- title: Sweeps until convergence
-- caption: Sweeps until the residual is small enough, over $n$: chaotic relaxation stands between Gauss--Seidel in the
--   given order and Jacobi. A point is the median of a cell's runs, its band reaches from the least to the most. Each
--   variant is drawn in colour with its most threads and its most measured block, the others are grey
--
-- Jacobi's sweeps, measured or expected, are a curve of their own.
CREATE TEMP TABLE point AS
SELECT c.ord, g.variant, c.curve, c.style, s.side, s.n, g.threads, s.middle AS y, s.least AS low, s.most AS high,
       s.flagged
FROM solved s JOIN curves c USING (cell) JOIN good g USING (cell)
WHERE s.chaotic OR s.idea = 'seq' OR s.idea GLOB '*-exact'
UNION ALL
SELECT 1000, 'Jacobi', 'Jacobi' || iif(max(measured) OVER (), '', ', expected'), 1, '', n, NULL, (least + most) / 2.0,
       least, most, 0
FROM jacobi_sweeps WHERE n IN (SELECT n FROM solved);

CREATE TEMP TABLE chosen_curve AS
SELECT curve FROM (
    SELECT curve, row_number() OVER (PARTITION BY variant ORDER BY count(*) DESC, max(threads) DESC, curve) AS place
    FROM point GROUP BY variant, curve)
WHERE place = 1;

-- name: curves
SELECT curve, style AS curve_style, 0 AS curve_dash, curve NOT IN (SELECT curve FROM chosen_curve) AS curve_grey, n, y,
       low, high, flagged
FROM point ORDER BY ord, curve, n;

-- scalars
SELECT min(low) AS y_least, max(high) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM solved ORDER BY n)) AS sizes
FROM point;
