-- The measured ceilings of each machine, the peak of each cell, and which ceilings may be used. The program runs this
-- file whenever it has loaded results, so that tables, figures, findings and claims all have the same shares.
-- SPDX-License-Identifier: MIT

-- A ceiling is the highest rate that any round without a flag of any probe has reached, in any study of a host: GFLOP/s
-- of multiply-adds, GB/s of everything else. It is a round, not a median: kernels run while the clock is high too, and
-- none may pass its ceiling. A ceiling belongs to a physical machine, a unit, a precision and a thread count. A unit is
-- a device with an instruction set, with tensor cores apart. The precision is that of the numbers that the unit
-- multiplies. A probe that another machine measured again is archived, and remains a ceiling of its own machine.
-- Caches may hold small arrays, so that a bandwidth is that of arrays of at least half of the largest size that
-- machines of this kind have measured.
--   rate     that of the fastest round without a flag. Where no samples are there, the low end of the interval of a
--            probe without doubt is such a round. A probe without such a round counts with its median, and only where
--            no other probe of this size was measured
--   flagged  the marks of the probe that has this round
--   broken   why nothing may be divided by this ceiling; NULL: it may be used
CREATE TABLE ceilings AS
WITH shown AS (
    SELECT r.host, r.experiment, r.cell, r.machine, r.machine_hash, r.side, r.problem,
           coalesce(r.parts, r.precision) AS precision,
           coalesce(r.threads, 1) AS threads, r.isa, r.on_tensor AS tensor, r.n,
           iif(r.problem = 'fma', r.gflops, r.gbs) AS rate, r.median_s, r.ci_lo_s, r.doubtful, r.flagged,
           r.n * iif(r.precision = 'f64', 8, 4) AS size, r.source_hash
    FROM described r WHERE r.status = 'ok' AND r.usual AND r.problem IN ('fma', 'copy', 'read')),
probe AS (
    SELECT *, 1 AS is_shown FROM shown
    UNION ALL
    SELECT s.host, s.experiment, s.cell, a.machine, s.machine_hash, s.side, s.problem, s.precision, s.threads, s.isa,
           s.tensor, s.n, iif(s.problem = 'fma', a.gflops, a.gbs), a.median_s, a.ci_lo_s, a.doubtful, a.flagged, s.size,
           s.source_hash, 0
    FROM shown s JOIN archive a USING (host, experiment, cell)
    WHERE a.status = 'ok' AND a.machine <> s.machine AND a.machine_hash IS s.machine_hash
      AND a.source_hash IS s.source_hash),
round AS (
    SELECT s.host, s.experiment, s.cell, median(s.kernel_s) AS round_s
    FROM samples s JOIN shown USING (host, experiment, cell) WHERE s.kernel_s IS NOT NULL
    GROUP BY s.host, s.experiment, s.cell, s.round
    HAVING max(coalesce(s.flags, '') NOT IN ('', 'capped')) = 0),
fastest AS (SELECT host, experiment, cell, min(round_s) AS fastest_s FROM round GROUP BY host, experiment, cell),
reached AS (
    SELECT p.*, coalesce(fastest_s, iif(doubtful, NULL, coalesce(ci_lo_s, median_s))) AS least_s,
           max(size) OVER (PARTITION BY p.host, machine_hash, side, problem, threads) AS most
    FROM probe p LEFT JOIN fastest f ON p.is_shown AND (f.host, f.experiment, f.cell) = (p.host, p.experiment, p.cell)),
ranked AS (
    SELECT *, rate * median_s / coalesce(least_s, median_s) AS most_rate,
           max(least_s IS NOT NULL) OVER (PARTITION BY host, machine, side, problem, precision, threads, isa, tensor, n)
             AS any_least
    FROM reached WHERE problem = 'fma' OR 2 * size >= most)
SELECT host, machine, side, problem, precision, threads, isa, tensor, iif(problem = 'fma', most_rate, NULL) AS gflops,
       iif(problem = 'fma', NULL, most_rate) AS gbs, max(most_rate) AS rate, flagged, NULL AS broken
FROM ranked WHERE (least_s IS NOT NULL) = any_least
GROUP BY host, machine, side, problem, precision, threads, isa, tensor;
CREATE INDEX ceilings_of ON ceilings(host, machine, problem, side, precision);

-- The ceilings of each verified cell.
--   rate            GFLOP/s of the operations that the problem needs
--   executed        GFLOP/s of the operations that the variant executes: both triangles of a symmetric product, and
--                   each product of a split one
--   least           `executed` at the slow end of the interval
--   gflops          the peak of the unit that the kernel uses. A kernel that may run on tensor cores may use either
--                   unit, so that its peak is the higher of the two; it has none where its tensor cores were not
--                   measured. A backend that drives a CPU as a device uses all threads.
--   gbs             the read bandwidth of as many threads
--   share           useful per cent of the peak, of `rate`; NULL above 100, which no kernel can have: then the probe is
--                   too low, or the times are too uncertain to say
--   executed_share  the same of `executed`
--   broken          why the cell has no peak although a probe was measured
CREATE TABLE peaks AS
WITH widest AS (
    SELECT host, machine, max(threads) AS threads FROM ceilings WHERE side = 'CPU' AND problem = 'fma' GROUP BY 1, 2),
placed AS (
    SELECT r.host, r.experiment, r.cell, r.machine, r.usual, r.side,
           coalesce(iif(r.is_split OR r.problem = 'fma', r.parts, NULL), r.precision) AS precision, r.isa,
           coalesce(r.threads, iif(b.kind = 'any', w.threads, 1)) AS threads,
           r.unit = 'fma' AS has_peak, r.on_tensor AS tensor, r.gflops AS rate,
           r.gflops * iif(r.problem = 'aat' AND NOT r.halved, 2.0 * r.n / (r.n + 1), 1) * iif(r.is_split, r.products, 1)
             AS executed,
           coalesce(r.ci_hi_s, r.median_s) / r.median_s AS slowest
    -- Very short or long sums of f64 run on the f64 tensor cores.
    FROM (SELECT *, split = precision AND (precision <> 'f64' OR coalesce(k, n) BETWEEN 64 AND 65536) AS is_split
          FROM described) r
    LEFT JOIN backends b ON b.name = r.backend
    LEFT JOIN widest w ON w.host = r.host AND w.machine = r.machine
    WHERE r.status = 'ok' AND NOT r.probe AND r.median_s > 0)
SELECT p.host, p.experiment, p.cell, p.usual, p.rate, p.executed, p.executed / p.slowest AS least,
       (SELECT c.rowid FROM ceilings c
        WHERE c.host = p.host AND c.machine = p.machine AND c.problem = 'fma' AND c.side = p.side
          AND c.precision = p.precision AND c.tensor <= p.tensor AND p.has_peak
          AND (p.side = 'GPU' OR c.threads = p.threads)
          AND (p.side = 'GPU' OR c.isa IS NULL OR p.isa IS NULL OR c.isa = p.isa
               OR NOT EXISTS (SELECT 1 FROM ceilings o
                              WHERE o.host = p.host AND o.machine = p.machine AND o.problem = 'fma'
                                AND o.precision = p.precision AND o.threads = p.threads AND o.isa = p.isa))
          AND (NOT p.tensor
               OR EXISTS (SELECT 1 FROM ceilings t
                          WHERE t.host = p.host AND t.machine = p.machine AND t.problem = 'fma' AND t.side = p.side
                            AND t.precision = p.precision AND t.tensor))
        ORDER BY c.gflops DESC LIMIT 1) AS of_peak,
       (SELECT c.rowid FROM ceilings c
        WHERE c.host = p.host AND c.machine = p.machine AND c.problem = 'read' AND c.side = p.side
          AND (p.side = 'GPU' OR c.threads = p.threads)
        ORDER BY c.gbs DESC LIMIT 1) AS of_read,
       NULL AS gflops, NULL AS gbs, NULL AS share, NULL AS executed_share, NULL AS broken
FROM placed p;
CREATE INDEX peaks_cell ON peaks(host, experiment, cell);

-- A peak is broken if a verified kernel of the same device, precision, threads and unit is faster, even at the slow end
-- of the kernel's interval. A bandwidth is not, as a cache may hold what a solver reads.
UPDATE ceilings SET broken = 'kernel'
WHERE rowid IN (SELECT p.of_peak FROM peaks p JOIN ceilings c ON c.rowid = p.of_peak
                WHERE p.usual AND p.least > c.gflops);

-- A ceiling of several threads is broken if fewer threads were measured to be faster: what few threads reach, more can.
UPDATE ceilings SET broken = 'threads'
WHERE broken IS NULL AND side = 'CPU'
  AND EXISTS (SELECT 1 FROM ceilings f
              WHERE f.host = ceilings.host AND f.machine = ceilings.machine AND f.side = ceilings.side
                AND f.problem = ceilings.problem AND f.precision = ceilings.precision AND f.isa IS ceilings.isa
                AND f.tensor = ceilings.tensor AND f.threads < ceilings.threads
                AND verdict(f.rate / ceilings.rate, f.rate / ceilings.rate, f.rate / ceilings.rate, NULL)
                    = 'faster');

UPDATE peaks SET broken = c.broken, gflops = iif(c.broken IS NULL, c.gflops, NULL) FROM ceilings c
WHERE c.rowid = peaks.of_peak;
UPDATE peaks SET share = 100 * rate / gflops, executed_share = 100 * executed / gflops WHERE executed <= gflops;
UPDATE peaks SET gbs = c.gbs FROM ceilings c WHERE c.rowid = peaks.of_read AND c.broken IS NULL;
