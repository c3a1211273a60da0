-- Speed-up over the same variant on one thread, over n, a panel for each variant and tile. SPDX-License-Identifier: MIT
-- title: Speed-up over one thread
-- caption: Speed-up over the same variant and tile on one thread: with perfect scaling a curve stands as high as its
--   threads. A panel shows a variant and tile; the best of each variant come first, at most four
--
-- The base is the cell on one thread that is equal in all other axes.
-- name: curves
SELECT threads || ' threads' AS curve, 9 + dense_rank() OVER (ORDER BY threads) AS curve_style, 0 AS curve_dash,
       panel, n, gain AS y, gain_low AS low, gain_high AS high, either_flagged
FROM scaled ORDER BY threads, panel, n;

-- name: panels
SELECT DISTINCT family AS curve, panel FROM scaled ORDER BY panel;

-- scalars
SELECT min(gain) AS y_least, max(gain) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM scaled ORDER BY n)) AS sizes
FROM scaled;
