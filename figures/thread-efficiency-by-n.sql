-- Speed-up over one thread divided by the threads, over n, a panel for each variant and tile.
-- SPDX-License-Identifier: MIT
-- title: Efficiency: speed-up over threads
-- caption: Efficiency: the speed-up over one thread, divided by the threads. Where the curves fall away from 1, further
--   threads are wasted. A panel shows a variant and tile; the best of each variant come first, at most four
--
-- The base is the cell on one thread that is equal in all other axes.
-- name: curves
SELECT threads || ' threads' AS curve, 9 + dense_rank() OVER (ORDER BY threads) AS curve_style, 0 AS curve_dash,
       panel, n, gain / threads AS y, gain_low / threads AS low, gain_high / threads AS high, either_flagged
FROM scaled ORDER BY threads, panel, n;

-- name: panels
SELECT DISTINCT family AS curve, panel FROM scaled ORDER BY panel;

-- scalars
SELECT min(gain / threads) AS y_least, max(gain / threads) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM scaled ORDER BY n)) AS sizes
FROM scaled;
