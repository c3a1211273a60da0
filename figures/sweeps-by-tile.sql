-- Sweeps of chaotic relaxation on a GPU over the threads of a block, a panel for each n. SPDX-License-Identifier: MIT
-- title: Sweeps over the threads of a block
-- caption: Sweeps of chaotic relaxation over the threads of a block: between the lines of Gauss--Seidel in order and of
--   Jacobi. A point is the median of a cell's runs, its bar reaches from the least to the most
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
