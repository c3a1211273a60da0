-- SPDX-License-Identifier: MIT
-- Beside GFLOP/s: per cent of the vendor's product on the same device; of the fastest variant where there is none.
CREATE TEMP TABLE whole AS
SELECT g.problem, g.side, g.precision, g.n, coalesce(v.median_s, min(g.median_s)) AS median_s
FROM good g LEFT JOIN vendor v USING (problem, side, precision, n)
GROUP BY g.problem, g.side, g.precision, g.n;

-- name: curves
SELECT c.curve, c.style AS curve_style, c.dash AS curve_dash, g.n, g.gflops AS y,
       g.gflops * g.median_s / coalesce(g.ci_hi_s, g.median_s) AS low,
       g.gflops * g.median_s / coalesce(g.ci_lo_s, g.median_s) AS high, g.flagged,
       100.0 * w.median_s / g.median_s AS percent,
       100.0 * w.median_s / coalesce(g.ci_hi_s, g.median_s) AS percent_low,
       100.0 * w.median_s / coalesce(g.ci_lo_s, g.median_s) AS percent_high
FROM good g JOIN curves c USING (cell) LEFT JOIN whole w USING (problem, side, precision, n)
ORDER BY c.ord, c.dash, c.curve, g.n;

-- scalars
SELECT min(gflops) AS y_least, max(gflops) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM good ORDER BY n)) AS sizes,
       (SELECT count(*) FROM vendor) > 0 AS has_vendor
FROM good;

-- The ceilings of the devices drawn, for as many threads as the study uses.
-- name: ceilings
SELECT iif(p.tensor, 'measured peak of tensor cores, ', 'measured FMA peak, ') || p.precision || ', '
       || iif(p.side = 'GPU', 'GPU', p.threads || iif(p.threads = 1, ' thread', ' threads')) AS curve,
       iif(p.side = 'GPU', 1, 0) AS curve_gpu, max(p.gflops) AS curve_value, 0 AS unused
FROM ceiling p
JOIN (SELECT side, precision, max(coalesce(threads, 1)) AS threads FROM good GROUP BY side, precision) g
  ON g.side = p.side AND g.precision = p.precision AND (p.side = 'GPU' OR p.threads = g.threads)
WHERE p.problem = 'fma'
GROUP BY p.side, p.precision, p.tensor ORDER BY p.side, p.precision, p.tensor;
