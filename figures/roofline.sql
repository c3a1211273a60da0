-- SPDX-License-Identifier: MIT
-- Intensity counts each operand once (compulsory traffic). Tensor cores have a roof of their own, and are left out. The fastest configuration of a variant at each n.
-- name: curves
SELECT g.idea AS curve, min(c.style) OVER (PARTITION BY g.variant) AS curve_style, 0 AS curve_dash,
       iif(g.side = 'GPU', 2, 1) AS curve_device, g.flops / g.bytes AS x, max(g.gflops) AS y, g.flagged
FROM good g JOIN curves c USING (cell)
WHERE g.bytes > 0 AND g.unit = 'fma'
GROUP BY g.variant, g.precision, g.n
ORDER BY g.ord, g.variant, g.n;

-- name: roofs
SELECT p.side AS curve, iif(p.side = 'GPU', 2, 1) AS curve_device, p.gflops AS curve_peak, si(p.gflops * 1e9, 'FLOP/s') AS curve_peak_text,
       (SELECT max(b.gbs) FROM ceiling b WHERE b.side = p.side AND b.problem IN ('copy', 'read')
          AND (p.side = 'GPU' OR b.threads = p.threads)) AS curve_bandwidth,
       si(1e9 * (SELECT max(b.gbs) FROM ceiling b WHERE b.side = p.side AND b.problem IN ('copy', 'read')
          AND (p.side = 'GPU' OR b.threads = p.threads)), 'B/s') AS curve_bandwidth_text, 0 AS unused
FROM (SELECT side, threads, max(gflops) AS gflops FROM ceiling c
      WHERE problem = 'fma' AND precision IN (SELECT precision FROM good)
        AND (side = 'GPU' OR threads = (SELECT max(coalesce(threads, 1)) FROM good WHERE side = 'CPU'))
      GROUP BY side) p
WHERE curve_bandwidth > 0 AND p.side IN (SELECT side FROM good)
ORDER BY p.side;

-- scalars
SELECT min(flops / bytes) AS x_least, max(flops / bytes) AS x_most FROM good WHERE bytes > 0 AND unit = 'fma';
