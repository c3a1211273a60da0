-- The best own variant in per cent of the best library over n, for each problem and precision.
-- SPDX-License-Identifier: MIT
-- title: Best own variant, in % of the best library
-- caption: The fastest own variant in per cent of the fastest library on the most threads: above the dotted line the
--   own variant is faster. A point is the median of the rounds' ratios, its band is their range. Hollow points carry a
--   flag
--
-- In a round both ran side by side, so that both met the same disturbances.
CREATE TEMP TABLE drawn AS
SELECT f.*, dense_rank() OVER (ORDER BY f.problem DESC, f.precision) - 1 AS place, 100 * share AS percent
FROM frontier f WHERE f.threads IS (SELECT max(threads) FROM frontier);

-- name: curves
SELECT problem || ' ' || precision AS curve, 10 + place % 9 AS curve_style, 0 AS curve_dash, n, percent AS y,
       100 * low AS low, 100 * high AS high, own_flagged OR vendor_flagged AS flagged
FROM drawn ORDER BY place, n;

-- scalars
SELECT min(percent) AS y_least, max(percent) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM drawn ORDER BY n)) AS sizes
FROM drawn;
