-- Time over the chunk of rows, a curve a variant, at the largest n
-- SPDX-License-Identifier: MIT
CREATE TEMP VIEW chunked AS SELECT * FROM good WHERE chunk IS NOT NULL AND n = (SELECT max(n) FROM good);

-- name: curves
SELECT g.variant || ' in chunks' AS curve, min(c.style) OVER (PARTITION BY g.variant) AS curve_style, 0 AS curve_dash,
       g.chunk, g.median_s AS y, coalesce(g.ci_lo_s, g.median_s) AS low, coalesce(g.ci_hi_s, g.median_s) AS high,
       g.flagged
FROM chunked g JOIN curves c USING (cell)
ORDER BY curve, g.chunk;

-- scalars
SELECT min(median_s) AS y_least, max(median_s) AS y_most,
       (SELECT group_concat(chunk, ' ') FROM (SELECT DISTINCT chunk FROM chunked ORDER BY chunk)) AS sizes
FROM chunked;
