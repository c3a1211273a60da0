-- GFLOP/s per watt of each rung of the ladder. SPDX-License-Identifier: MIT
-- title: GFLOP/s per watt, rung by rung
-- title.ru: ГФЛОП/с на ватт по ступеням
-- problems: matmul aat
-- caption: What each rung makes of a watt; the last points are libraries.\each{ \hostbrief{}: \fact{problem} in
--   \fact{precision} rises from \fact{first} to \fact{most} GFLOP/s per watt with \code{idea}.} A bar is the range of
--   the rounds
-- caption.ru: ГФЛОП/с на ватт по ступеням; последние точки — библиотеки.\each{ \hostbrief{}: \fact{problem} в
--   \fact{precision} — от \fact{first} до \fact{most} с \code{idea}.} Черта — размах раундов
--
CREATE TEMP TABLE rung AS
SELECT g.*, e.joules, dense_rank() OVER (ORDER BY p.ord, g.problem, g.precision DESC) AS panel,
       dense_rank() OVER (PARTITION BY g.problem, g.precision ORDER BY g.vendor, g.ord, g.idea) AS x
FROM good g JOIN energies e USING (host, experiment, cell)
JOIN (SELECT problem, min(ord) AS ord FROM good GROUP BY problem) p USING (problem)
WHERE g.side = 'GPU' AND g.problem IN ('matmul', 'aat') AND (g.usual OR g.inputs = 'zeros' AND g.conditions = 1)
  AND g.n = (SELECT max(n) FROM good o WHERE o.problem = g.problem AND o.energy_j > 0 AND o.side = 'GPU');
-- One rung is no ladder.
DELETE FROM rung WHERE (problem, precision) IN (
    SELECT problem, precision FROM rung GROUP BY problem, precision
    HAVING count(DISTINCT iif(library IS NULL, idea, NULL)) < 2);

-- name: curves
SELECT iif(usual, 'random inputs', 'zeros') AS curve, iif(usual, 41, 44) AS curve_style, 0 AS curve_dash, panel, x,
       gflops_per_w AS y, gflops_per_w * coalesce(ratio_low(joules, joules), 1) AS low,
       gflops_per_w * coalesce(ratio_high(joules, joules), 1) AS high
FROM rung ORDER BY usual DESC, panel, x;

-- name: rungs
SELECT DISTINCT idea AS curve, panel AS curve_panel, x AS curve_x, 0 AS unused FROM rung ORDER BY panel, x;

-- name: panels
SELECT problem || ', ' || precision AS curve, max(x) AS curve_last, 0 AS unused
FROM rung GROUP BY panel ORDER BY panel;

-- scalars
SELECT min(gflops_per_w) AS y_least, max(gflops_per_w) AS y_most FROM rung;

-- facts
WITH own AS (SELECT * FROM rung WHERE usual AND library IS NULL),
ends AS (
    SELECT *, first_value(gflops_per_w) OVER (PARTITION BY panel ORDER BY x) AS first,
           row_number() OVER (PARTITION BY panel ORDER BY gflops_per_w DESC) AS place FROM own)
SELECT :host AS host, problem, precision, sig(first) AS first, marked(sig(gflops_per_w), flagged) AS most, idea
FROM ends WHERE place = 1 ORDER BY panel LIMIT 1;
