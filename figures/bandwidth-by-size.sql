-- Bandwidth of the probes over the bytes of their arrays, with the sizes of the caches. SPDX-License-Identifier: MIT
-- problems: copy triad read transfer
-- title: Bandwidth over the bytes of the arrays
-- title.ru: Пропускная способность и размер массивов
-- caption: Bandwidth of reads\each{. \hostbrief{} \fact{side}: \fact{fast_rate} with
--   \fact{fast_size}\iffact{large_rate}{, \fact{large_rate} with \fact{large_size}}}
-- caption.ru: Скорость чтения\each{. \hostbrief{}, \fact{side}: \fact{fast_rate} при
--   \fact{fast_size}\iffact{large_rate}{, \fact{large_rate} при \fact{large_size}}}
--
-- `size_bytes`: the bytes of all arrays of a probe together; the rate is the one at which a run moves them. A point is
-- the best precision at its size. Copies between host and device are never solid: the solid curves have six shapes.
CREATE TEMP TABLE moved AS
SELECT *, iif(problem = 'transfer', replace(replace(replace(idea, 'cuda-', ''), 'cuda', ''), '-', ' '),
              problem || coalesce(', ' || threads || iif(threads = 1, ' thread', ' threads'), '')
              || iif(side = 'GPU', ', GPU', '')) AS curve,
       n * iif(precision = 'f64', 8.0, 4.0) * CASE problem WHEN 'copy' THEN 2 WHEN 'triad' THEN 3
       ELSE 1 END AS size_bytes
FROM cell WHERE status = 'ok' AND problem IN ('copy', 'triad', 'read', 'transfer');

-- name: curves
SELECT curve,
       iif(side = 'GPU', CASE problem WHEN 'read' THEN 40 WHEN 'triad' THEN 42 WHEN 'copy' THEN 44 ELSE 46 END,
           CASE problem WHEN 'read' THEN 10 WHEN 'triad' THEN 12 ELSE 14 END) AS curve_style,
       dense_rank() OVER (PARTITION BY side, problem ORDER BY threads, variant) - (problem <> 'transfer') AS curve_dash,
       iif(side = 'GPU', 2, 1) AS curve_device, size_bytes AS x, max(gbs) AS y,
       rate_low(gbs, span) AS low, rate_high(gbs, span) AS high, flagged
FROM moved
GROUP BY side, problem, variant, threads, n
ORDER BY side, problem = 'transfer', problem, threads, variant, n;

-- name: panels
SELECT side AS curve, iif(side = 'GPU', 2, 1) AS curve_device, min(size_bytes) AS curve_least,
       max(size_bytes) AS curve_most,
       0 AS unused
FROM moved GROUP BY side ORDER BY side;

-- The sizes of caches that the machine tells.
-- name: caches
SELECT c.name AS curve, c.device AS curve_device, CAST(m.value AS REAL) AS curve_bytes, 0 AS unused
FROM machine m
JOIN (SELECT 'machine.l1d_bytes' AS key, 'L1' AS name, 1 AS device UNION ALL SELECT 'machine.l2_bytes', 'L2', 1
      UNION ALL SELECT 'machine.l3_bytes', 'L3', 1 UNION ALL SELECT 'gpu.l2_bytes', 'L2', 2) c USING (key)
WHERE m.host = :host AND m.experiment = :experiment AND m.value > 0
ORDER BY c.device, c.name;

-- facts
-- A size is told in the units of the axis. Where the largest arrays are the fastest, they are told once.
WITH reads AS (
    SELECT side, size_bytes, max(gbs) AS gbs, flagged,
           CASE WHEN size_bytes < 1048576 THEN sig(size_bytes / 1024.0) || ' KiB'
                WHEN size_bytes < 1073741824 THEN sig(size_bytes / 1048576.0) || ' MiB'
                ELSE sig(size_bytes / 1073741824.0) || ' GiB' END AS size
    FROM moved WHERE problem = 'read' GROUP BY side, size_bytes),
fast AS (SELECT *, max(gbs) FROM reads GROUP BY side),
large AS (SELECT *, max(size_bytes) FROM reads GROUP BY side)
SELECT :host AS host, side, marked(si(1e9 * f.gbs, 'B/s'), f.flagged) AS fast_rate, f.size AS fast_size,
       iif(l.size_bytes = f.size_bytes, NULL, marked(si(1e9 * l.gbs, 'B/s'), l.flagged)) AS large_rate,
       l.size AS large_size
FROM fast f JOIN large l USING (side) ORDER BY side;
