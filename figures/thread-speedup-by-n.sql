-- SPDX-License-Identifier: MIT
-- Base: the same variant and tile on one thread.
CREATE TEMP TABLE one AS SELECT * FROM good WHERE threads = 1;

CREATE TEMP TABLE gain AS
SELECT g.cell, g.n, g.flagged OR o.flagged AS flagged, o.median_s / g.median_s AS y,
       coalesce(o.ci_lo_s, o.median_s) / coalesce(g.ci_hi_s, g.median_s) AS low,
       coalesce(o.ci_hi_s, o.median_s) / coalesce(g.ci_lo_s, g.median_s) AS high
FROM good g JOIN one o ON o.variant = g.variant AND o.precision = g.precision AND o.n = g.n AND o.tile IS g.tile
                      AND o.row_tile IS g.row_tile AND o.padding IS g.padding AND o.isa IS g.isa AND o.opt IS g.opt
WHERE g.threads > 1;

-- name: curves
SELECT c.curve, c.style AS curve_style, c.dash AS curve_dash, g.n, g.y, g.low, g.high, g.flagged
FROM gain g JOIN curves c USING (cell)
ORDER BY c.ord, c.dash, c.curve, g.n;

-- scalars
SELECT min(y) AS y_least, max(y) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM gain ORDER BY n)) AS sizes
FROM gain;
