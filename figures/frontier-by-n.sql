-- The best own variant beside the best library over n, for each problem, precision and thread count.
-- SPDX-License-Identifier: MIT
-- caption: Left: GFLOP/s of the fastest own variant and of the fastest library (dashed) over $n$, on the most
--   threads. Right: the own variant in per cent of the library on each number of threads, as median and range of the
--   rounds' ratios. Hollow points carry a flag
--
-- The left panel shows the most threads, with the library's curve dashed. The right panel shows every thread count.
CREATE TEMP TABLE drawn AS
SELECT f.*, f.threads IS (SELECT max(threads) FROM frontier) AS most, f.problem || ' ' || f.precision
       || coalesce(', ' || f.threads || iif(f.threads = 1, ' thread', ' threads'), '') AS name,
       dense_rank() OVER (ORDER BY f.problem DESC, f.precision, f.threads) - 1 AS place
FROM frontier f;

-- name: curves
SELECT name || iif(side = 0, ', best own', ', best library') AS curve, 10 + place % 9 AS curve_style,
       side AS curve_dash, n,
       iif(most, y, NULL) AS y, iif(most, low, NULL) AS low, iif(most, high, NULL) AS high, flagged, percent,
       percent_low, percent_high
FROM (SELECT name, place, most, 0 AS side, n, own_gflops AS y, own_least AS low, own_most AS high,
             own_flagged OR vendor_flagged AS flagged, 100 * share AS percent,
             100 * low AS percent_low, 100 * high AS percent_high FROM drawn
      UNION ALL
      SELECT name, place, most, 1, n, vendor_gflops, vendor_least, vendor_most, vendor_flagged, NULL, NULL, NULL
      FROM drawn WHERE most)
ORDER BY place, side, n;

-- scalars
SELECT min(min(own_gflops, vendor_gflops)) AS y_least, max(max(own_gflops, vendor_gflops)) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM drawn ORDER BY n)) AS sizes
FROM drawn WHERE most;
