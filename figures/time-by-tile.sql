-- Time over the tile, a panel for each n. SPDX-License-Identifier: MIT
-- caption: Time over the tile, a panel for each $n$. GPU times include upload and download, unless a run took so
--   long that it was timed once
--
-- GPU times include upload and download, unless a run took too long to be timed with them. A variant without a tile is
-- a level line. Solvers are shown without weights (omega = 1) and until convergence.
-- name: curves
SELECT g.idea || iif(g.padding IS NULL, '', ', padding ' || g.padding) AS curve,
       min(c.style) OVER (PARTITION BY g.variant) AS curve_style, 0 AS curve_dash,
       g.tile IS NULL AS curve_level, g.n, g.tile, coalesce(g.total_s, g.median_s) AS y,
       iif(g.total_s IS NULL, coalesce(g.ci_lo_s, g.median_s), g.total_s) AS low,
       iif(g.total_s IS NULL, coalesce(g.ci_hi_s, g.median_s), g.total_s) AS high, g.flagged
FROM good g JOIN curves c USING (cell)
WHERE (g.problem, g.n) IN (SELECT problem, n FROM good WHERE tile IS NOT NULL)
  AND coalesce(g.omega, 1) = 1 AND g.sweeps IS NULL
ORDER BY g.ord, g.variant, g.padding, g.n, g.tile;

-- scalars
SELECT (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM good WHERE tile IS NOT NULL ORDER BY n)) AS sizes,
       (SELECT group_concat(tile, ' ') FROM (SELECT DISTINCT tile FROM good WHERE tile IS NOT NULL ORDER BY tile))
       AS tiles;
