-- GFLOP/s over n, for solvers GB/s, and per cent of the library. SPDX-License-Identifier: MIT
-- caption: GFLOP/s over $n$ on the most threads, and per cent of the vendor's library at its fastest on the same
--   device. Solvers are shown in GB/s: $A$ passes once a sweep. Dashed lines are measured ceilings: the FMA peak, for
--   solvers the read bandwidth. A library on tensor cores may exceed this peak, and data that stay in a cache may
--   exceed this bandwidth
--
-- Memory bounds a solver: a study of solvers shows GB/s, for one read of A a sweep, and measured bandwidths.
CREATE TEMP TABLE kind AS SELECT min(solver) AS of_memory FROM good;
CREATE TEMP TABLE speed AS SELECT w.*, iif(of_memory, gbs, gflops) AS speed FROM widest w, kind;

-- The second panel is in per cent of the vendor's speed on the same device. If the study has no library on a device,
-- the panel is in per cent of the fastest variant.
CREATE TEMP TABLE whole AS
SELECT g.task, g.side, g.contract,
       iif(EXISTS (SELECT 1 FROM vendor o WHERE o.side = g.side), v.median_s, min(g.median_s)) AS median_s
FROM good g LEFT JOIN vendor v USING (task, side, contract)
GROUP BY g.task, g.side, g.contract;

-- name: curves
SELECT c.curve, c.style AS curve_style, c.family_dash AS curve_dash, g.n, g.speed AS y,
       g.speed * g.median_s / coalesce(g.ci_hi_s, g.median_s) AS low,
       g.speed * g.median_s / coalesce(g.ci_lo_s, g.median_s) AS high, g.flagged,
       100.0 * w.median_s / g.median_s AS percent,
       100.0 * w.median_s / coalesce(g.ci_hi_s, g.median_s) AS percent_low,
       100.0 * w.median_s / coalesce(g.ci_lo_s, g.median_s) AS percent_high
FROM speed g JOIN curves c USING (cell) LEFT JOIN whole w USING (task, side, contract)
ORDER BY c.ord, c.family_dash, c.curve, g.n;

-- scalars
SELECT min(speed) AS y_least, max(speed) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM widest ORDER BY n)) AS sizes,
       (SELECT count(*) FROM vendor) > 0 AS has_vendor, of_memory
FROM speed, kind;

-- The ceilings of the devices that are drawn, for as many threads as the study uses.
-- name: ceilings
WITH used AS (SELECT side, precision, max(coalesce(threads, 1)) AS threads FROM good GROUP BY side, precision),
every AS (
    SELECT iif(p.tensor, 'measured peak of tensor cores, ', 'measured FMA peak, ') || p.precision AS what, p.side,
           p.precision, p.threads, p.tensor,
           max(p.gflops) AS value
    FROM ceiling p JOIN used g ON g.side = p.side AND g.precision = p.precision
      AND (p.side = 'GPU' OR p.threads = g.threads)
    WHERE p.problem = 'fma' AND NOT (SELECT of_memory FROM kind)
    GROUP BY p.side, p.precision, p.tensor
    UNION ALL
    SELECT 'measured read bandwidth', p.side, '', p.threads, 0, max(p.gbs)
    FROM ceiling p JOIN (SELECT side, max(threads) AS threads FROM used GROUP BY side) g
      ON g.side = p.side AND (p.side = 'GPU' OR p.threads = g.threads)
    WHERE p.problem = 'read' AND (SELECT of_memory FROM kind)
    GROUP BY p.side)
SELECT what || ', ' || iif(side = 'GPU', 'GPU', threads || iif(threads = 1, ' thread', ' threads')) AS curve,
       iif(side = 'GPU', 1, 0) AS curve_gpu, value AS curve_value, 0 AS unused
FROM every ORDER BY side, precision, tensor;
