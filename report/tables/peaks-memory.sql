-- Measured and theoretical bandwidths, copies between host and device, launches. SPDX-License-Identifier: MIT
-- caption: Memory at the largest size of each probe, copies between host and device, and launches: measured and
--   theoretical
-- caption.ru: Память при наибольшем размере каждой пробы, копирование между хостом и устройством и запуски: измеренные
--   и теоретические значения
--
-- group
-- align: lllrrrr
WITH fact AS (SELECT key, value FROM machine WHERE host = :host AND experiment = :experiment),
bound AS (
    SELECT 'smem' AS problem, 1.28e-4 * sm.value * clock.value AS gbs FROM fact sm, fact clock
    WHERE sm.key = 'gpu.multiprocessors' AND clock.key = 'gpu.clock_khz'
    UNION ALL
    SELECT p.name, 2.5e-7 * bus.value * clock.value FROM problems p, fact bus, fact clock
    WHERE p.name IN ('copy', 'triad', 'read') AND bus.key = 'gpu.memory_bus_bits'
      AND clock.key = 'gpu.memory_clock_khz'),
largest AS (
    SELECT c.*, row_number() OVER (PARTITION BY variant, precision, threads ORDER BY n DESC, gflops DESC) AS place
    FROM cell c WHERE status = 'ok' AND problem IN ('copy', 'triad', 'read', 'smem', 'transfer', 'launch'))
SELECT l.side AS "Device",
       CASE l.problem WHEN 'smem' THEN 'read of shared memory'
                      WHEN 'transfer' THEN replace(substr(l.idea, length(l.backend) + 2), '-', ', ')
                      WHEN 'launch' THEN iif(l.idea LIKE '%-graph', 'launch in a graph', 'launch into a stream')
                      ELSE l.problem || ' of memory' END AS "What",
       l.threads AS "Threads",
       CASE WHEN l.problem NOT IN ('launch', 'smem') THEN si(l.bytes, 'B') END AS "Size",
       marked(iif(l.problem = 'launch', si(l.median_s / l.n, 's'), si(1e9 * l.gbs, 'B/s')), l.flagged) AS "Measured",
       si(1e9 * b.gbs, 'B/s') AS "Theoretical", sig(100 * l.gbs / b.gbs, 3) AS "%"
FROM largest l LEFT JOIN bound b ON b.problem = l.problem AND l.side = 'GPU'
WHERE l.place = 1
ORDER BY l.side, l.ord, l.threads;
