-- Time over the tile, a panel for each n. SPDX-License-Identifier: MIT
-- title: Time over the tile, a panel for each n
-- caption: Which tile is fastest: time over the tile at each $n$, on one axis. Level lines have no tile. GPU times
--   include upload and download, unless a run took so long that it was timed once
--
-- Solvers are shown without weights (omega = 1) and until convergence. Of more than eight curves those without a tile
-- that are slowest at the largest n are grey.
CREATE TEMP TABLE size AS SELECT DISTINCT problem, n FROM good WHERE tile IS NOT NULL
  AND n IN (SELECT DISTINCT n FROM good WHERE tile IS NOT NULL ORDER BY n DESC LIMIT 6);

CREATE TEMP TABLE point AS
SELECT g.idea || iif(g.padding IS NULL, '', ', padding ' || g.padding) AS curve, g.ord, g.variant, g.padding,
       min(c.style) OVER (PARTITION BY g.variant) AS style, g.tile IS NULL AS level, g.n, g.tile,
       coalesce(g.total_s, g.median_s) AS y, iif(g.total_s IS NULL, coalesce(g.ci_lo_s, g.median_s), g.total_s) AS low,
       iif(g.total_s IS NULL, coalesce(g.ci_hi_s, g.median_s), g.total_s) AS high, g.flagged
FROM good g JOIN curves c USING (cell) JOIN size USING (problem, n)
WHERE coalesce(g.omega, 1) = 1 AND g.sweeps IS NULL;

CREATE TEMP TABLE named_curve AS
SELECT curve FROM (SELECT curve, level, max(n) AS last, y FROM point GROUP BY curve)
ORDER BY level, last DESC, y LIMIT 8;

-- name: curves
SELECT curve, style AS curve_style, 0 AS curve_dash, level AS curve_level,
       curve NOT IN (SELECT curve FROM named_curve) AS curve_grey, n, tile, y, low, high, flagged
FROM point ORDER BY ord, variant, padding, n, tile;

-- scalars
SELECT (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM size ORDER BY n)) AS sizes,
       (SELECT group_concat(tile, ' ') FROM (SELECT DISTINCT tile FROM point WHERE tile IS NOT NULL ORDER BY tile))
       AS tiles;
