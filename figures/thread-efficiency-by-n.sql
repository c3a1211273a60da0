-- SPDX-License-Identifier: MIT
-- Base: the same variant, with the same axes, on one thread.
-- name: curves
SELECT c.curve, c.style AS curve_style, c.dash AS curve_dash, t.n, gain / threads AS y, gain_low / threads AS low, gain_high / threads AS high,
       either_flagged
FROM threaded t JOIN curves c USING (cell)
ORDER BY c.ord, c.dash, c.curve, t.n;

-- scalars
SELECT min(gain / threads) AS y_least, max(gain / threads) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM threaded ORDER BY n)) AS sizes
FROM threaded;
