-- Sweeps of chaotic relaxation on a GPU over the threads of a block, a panel for each n. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- title: Sweeps over the threads of a block
-- title.ru: Число итераций и потоки блока
-- caption: Sweeps of chaotic relaxation, median and range of the runs\each{. \hostbrief{}, $n = \fact{n}$: medians from
--   \fact{least} (\code{least_idea}, \fact{least_tile} \plural{least_tile}{thread}{threads} a block) to \fact{most}
--   (\code{most_idea}, \fact{most_tile})}
-- caption.ru: Итерации хаотической релаксации, медиана и размах запусков\each{. \hostbrief{}, $n = \fact{n}$: медианы
--   от \fact{least} (\code{least_idea}, в блоке \fact{least_tile} \forms{least_tile}{поток}{потока}{потоков}) до
--   \fact{most} (\code{most_idea}, \fact{most_tile})}
--
-- The figure shows each n that was measured with several sizes of a block. A block has at most n threads.
CREATE TEMP TABLE blocks AS
SELECT s.*, min(tile, n) AS threads_a_block FROM solved s WHERE chaotic AND tile IS NOT NULL;
CREATE TEMP TABLE geometry AS SELECT n FROM blocks GROUP BY n HAVING count(DISTINCT threads_a_block) > 1;

-- name: curves
SELECT curve, style AS curve_style, 0 AS curve_dash, level AS curve_level, n, tile, y, low, high, flagged
FROM (SELECT s.ord, s.idea || ' (chaotic relaxation)' AS curve, min(c.style) OVER (PARTITION BY s.variant) AS style,
      0 AS level,
             s.n, s.threads_a_block AS tile, s.middle AS y, s.least AS low, s.most AS high, s.flagged
      FROM blocks s JOIN curves c USING (cell)
      UNION ALL
      SELECT s.ord, 'Gauss–Seidel in order', c.style, 1, s.n, NULL, s.middle, s.least, s.most, s.flagged
      FROM solved s JOIN curves c USING (cell) WHERE s.idea = 'seq' AND s.problem = 'seidel'
      UNION ALL
      SELECT -1, 'Jacobi' || iif(max(measured) OVER (), '', ', expected'), 1, 1, n, NULL, (least + most) / 2.0, least,
             most, 0
      FROM jacobi_here)
WHERE n IN (SELECT n FROM geometry) ORDER BY ord, n, tile;

-- scalars
SELECT (SELECT group_concat(n, ' ') FROM (SELECT n FROM geometry ORDER BY n)) AS sizes,
       (SELECT group_concat(tile, ' ') FROM (SELECT DISTINCT threads_a_block AS tile FROM blocks ORDER BY 1)) AS tiles;

-- facts
WITH last AS (SELECT * FROM blocks WHERE n = (SELECT max(n) FROM geometry)),
least AS (SELECT n, idea, threads_a_block AS tile, min(middle) AS middle FROM last),
most AS (SELECT idea, threads_a_block AS tile, max(middle) AS middle FROM last)
SELECT :host AS host, l.n, grouped(CAST(round(l.middle) AS INTEGER)) AS least, l.idea AS least_idea,
       l.tile AS least_tile, grouped(CAST(round(m.middle) AS INTEGER)) AS most, m.idea AS most_idea, m.tile AS most_tile
FROM least l, most m WHERE l.n IS NOT NULL;
