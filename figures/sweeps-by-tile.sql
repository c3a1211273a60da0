-- Sweeps of chaotic relaxation on a GPU over the threads of a block, a panel for each n. SPDX-License-Identifier: MIT
-- title: Sweeps over the threads of a block
-- title.ru: Число итераций и потоки блока
-- caption: Sweeps of chaotic relaxation over the threads of a block, beside the lines of Gauss--Seidel in order and of
--   Jacobi.\each{ \host: at $n = \fact{n}$ it takes \fact{least} sweeps by the median at best (\code{least_idea},
--   blocks of \fact{least_tile} threads), \fact{most} at worst (\code{most_idea}, blocks of \fact{most_tile}).} A point
--   is the median of a cell's runs, its bar reaches from the least to the most
-- caption.ru: Число итераций хаотической релаксации в зависимости от числа потоков блока рядом с линиями методов
--   Гаусса--Зейделя и Якоби.\each{ \host: при $n = \fact{n}$ медиана не меньше \fact{least} (\code{least_idea}, потоков
--   в блоке \fact{least_tile}) и не больше \fact{most} (\code{most_idea}, потоков \fact{most_tile}).} Точка — медиана
--   запусков, отрезок — от наименьшего до наибольшего
--
-- The figure shows each n that was measured with several sizes of a block.
CREATE TEMP TABLE geometry AS SELECT n FROM solved WHERE chaotic AND tile IS NOT NULL
GROUP BY n HAVING count(DISTINCT tile) > 1;

-- name: curves
SELECT curve, style AS curve_style, 0 AS curve_dash, level AS curve_level, n, tile, y, low, high, flagged
FROM (SELECT s.ord, s.idea || ' (chaotic relaxation)' AS curve, min(c.style) OVER (PARTITION BY s.variant) AS style,
      0 AS level,
             s.n, s.tile, s.middle AS y, s.least AS low, s.most AS high, s.flagged
      FROM solved s JOIN curves c USING (cell) WHERE s.chaotic AND s.tile IS NOT NULL
      UNION ALL
      SELECT s.ord, 'Gauss-Seidel in order', c.style, 1, s.n, NULL, s.middle, s.least, s.most, s.flagged
      FROM solved s JOIN curves c USING (cell) WHERE s.idea = 'seq' AND s.problem = 'seidel'
      UNION ALL
      SELECT 1000, 'Jacobi' || iif(max(measured) OVER (), '', ', expected'), 1, 1, n, NULL, (least + most) / 2.0, least,
             most, 0
      FROM jacobi_sweeps)
WHERE n IN (SELECT n FROM geometry) ORDER BY ord, n, tile;

-- scalars
SELECT (SELECT group_concat(n, ' ') FROM (SELECT n FROM geometry ORDER BY n)) AS sizes,
       (SELECT group_concat(tile, ' ')
        FROM (SELECT DISTINCT tile FROM solved WHERE chaotic AND tile IS NOT NULL ORDER BY tile)) AS tiles;

-- facts
WITH last AS (SELECT * FROM solved WHERE chaotic AND tile IS NOT NULL AND n = (SELECT max(n) FROM geometry)),
least AS (SELECT n, idea, tile, min(middle) AS middle FROM last),
most AS (SELECT idea, tile, max(middle) AS middle FROM last)
SELECT :host AS host, l.n, CAST(round(l.middle) AS INTEGER) AS least, l.idea AS least_idea, l.tile AS least_tile,
       CAST(round(m.middle) AS INTEGER) AS most, m.idea AS most_idea, m.tile AS most_tile
FROM least l, most m WHERE l.n IS NOT NULL;
