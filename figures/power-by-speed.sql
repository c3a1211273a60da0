-- Speed in TFLOP/s against power, with lines of equal efficiency. SPDX-License-Identifier: MIT
-- takes: operations
-- title: Speed against power
-- title.ru: Скорость и мощность
-- caption: Speed against power on random inputs; a line leads to other inputs, open squares are zeros\each{.
--   \hostbrief{}: \fact{problem} in \fact{precision} is most efficient with \code{idea}, \fact{efficiency} GFLOP/s per
--   watt}
-- caption.ru: Скорость и мощность на случайных данных; линия ведёт к другим входным данным, полые
--   квадраты — нули\each{.
--   \hostbrief{}: \fact{problem} в \fact{precision} эффективнее всего с \code{idea}, \fact{efficiency} ГФЛОП/с на ватт}
--
-- At most six panels, those with most points.
CREATE TEMP TABLE point AS
WITH powered AS (
    SELECT g.*, c.style, dense_rank() OVER (ORDER BY g.side DESC, p.ord, g.problem, g.precision DESC) AS part
    FROM good g JOIN curves c USING (cell)
    JOIN (SELECT problem, min(ord) AS ord FROM good GROUP BY problem) p USING (problem)
    WHERE g.power_w > 0 AND g.gflops > 0
      AND g.n = (SELECT max(n) FROM good o WHERE o.problem = g.problem AND o.power_w > 0))
SELECT *, dense_rank() OVER (ORDER BY part) AS panel FROM powered
WHERE part IN (SELECT part FROM powered GROUP BY part ORDER BY count(*) DESC, part LIMIT 6);

-- The ideas with names: those of a library, the own ones that are fastest anywhere, in full precision, from parts of
-- operands, and with pivoting, and the most efficient ones, of which the caption speaks.
CREATE TEMP TABLE named_idea AS
SELECT DISTINCT idea FROM (
    SELECT idea, vendor,
           row_number() OVER (PARTITION BY panel ORDER BY gflops_per_w DESC) AS frugal,
           row_number() OVER (PARTITION BY panel, contract, emulated, vendor OR input_roundoff > 0
                              ORDER BY gflops DESC) AS fast, input_roundoff
    FROM point WHERE usual)
WHERE vendor OR frugal = 1 OR fast = 1 AND input_roundoff = 0;

-- name: curves
SELECT idea AS curve, s.style AS curve_style, s.dash AS curve_dash,
       idea NOT IN (SELECT idea FROM named_idea) AS curve_grey, panel, power_w AS x, 1e-3 * gflops AS y,
       inputs IS 'zeros' AS zeros
FROM point JOIN idea_style s USING (idea)
ORDER BY s.ord, idea, panel, threads, coalesce(tile, 0), NOT usual, inputs;

-- name: panels
SELECT DISTINCT problem || ', ' || precision || iif(side = 'CPU', ', CPU', '') AS curve, panel FROM point
ORDER BY panel;

-- scalars
SELECT min(power_w) AS x_least, max(power_w) AS x_most, 1e-3 * min(gflops) AS y_least, 1e-3 * max(gflops) AS y_most
FROM point;

-- The efficiencies 1, 2 and 5 times a power of ten that lie among the points.
-- name: levels
WITH RECURSIVE decade(value) AS (SELECT 1e-3 UNION ALL SELECT value * 10 FROM decade WHERE value < 1e5)
SELECT printf('%g', value * step) AS curve, value * step AS curve_value, 0 AS unused
FROM decade JOIN (SELECT 1 AS step UNION ALL SELECT 2 UNION ALL SELECT 5)
WHERE value * step BETWEEN (SELECT min(gflops / power_w) / 2 FROM point)
                       AND (SELECT 2 * max(gflops / power_w) FROM point)
ORDER BY value * step;

-- facts
SELECT :host AS host, problem, precision, idea, marked(sig(gflops_per_w), flagged) AS efficiency
FROM (SELECT *, row_number() OVER (PARTITION BY panel ORDER BY gflops_per_w DESC) AS place FROM point WHERE usual)
WHERE place = 1 ORDER BY panel LIMIT 1;
