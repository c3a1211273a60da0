-- Sweeps until convergence of solvers with and without an order of the rows, over n. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- title: Sweeps until convergence
-- title.ru: Число итераций до сходимости
-- caption: Sweeps until convergence, medians of the runs\each{. \hostbrief{}, $n = \fact{n}$:
--   \range{exact_least}{exact_most} in order, \range{least}{most} of chaotic relaxation\iffact{jacobi_least}{,
--   \range{jacobi_least}{jacobi_most} of Jacobi}}
-- caption.ru: Число итераций, медианы запусков\each{. \hostbrief{}, $n = \fact{n}$: по порядку
--   \range{exact_least}{exact_most}, хаотически \range{least}{most}\iffact{jacobi_least}{, Якоби
--   \range{jacobi_least}{jacobi_most}}}
--
-- Jacobi's sweeps, measured or expected, are a curve of their own, behind the others.
CREATE TEMP TABLE point AS
SELECT c.ord, g.variant, c.curve, c.style, s.side, s.n, g.threads, s.middle AS y, s.least AS low, s.most AS high,
       s.flagged
FROM solved s JOIN curves c USING (cell) JOIN good g USING (cell)
WHERE s.chaotic OR s.idea = 'seq' OR s.idea GLOB '*-exact'
UNION ALL
SELECT -1, 'Jacobi', 'Jacobi' || iif(max(measured) OVER (), '', ', expected'), 1, '', n, NULL, (least + most) / 2.0,
       least, most, 0
FROM jacobi_here WHERE n IN (SELECT n FROM solved);

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

-- facts
WITH last AS (
    SELECT max(c.n) AS n, c.precision FROM solved c
    WHERE c.chaotic AND EXISTS (SELECT 1 FROM solved e WHERE e.n = c.n AND NOT e.chaotic AND e.problem = 'seidel'))
SELECT :host AS host, l.n, min(iif(s.chaotic, NULL, s.least)) AS exact_least,
       max(iif(s.chaotic, NULL, s.most)) AS exact_most,
       grouped(CAST(round(min(iif(s.chaotic, s.middle, NULL))) AS INTEGER)) AS least,
       grouped(CAST(round(max(iif(s.chaotic, s.middle, NULL))) AS INTEGER)) AS most,
       grouped(CAST(j.least AS INTEGER)) AS jacobi_least,
       grouped(CAST(j.most AS INTEGER)) AS jacobi_most
FROM last l JOIN solved s ON s.n = l.n AND s.problem = 'seidel'
LEFT JOIN jacobi_here j ON j.n = l.n AND j.precision = l.precision
WHERE l.n IS NOT NULL GROUP BY l.n;
