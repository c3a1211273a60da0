-- The measured ceilings of each study, the peak of each cell, and which probes may be used. The program runs this file
-- whenever it has loaded results, so that tables, figures, findings and claims all have the same shares.
-- SPDX-License-Identifier: MIT

-- The fastest run of each probe: GFLOP/s of multiply-adds, GB/s of everything else. A peak belongs to a thread count
-- and an instruction set, with tensor cores apart; a bandwidth belongs to a thread count.
--   least, most  what the interval of the time leaves open
--   broken       why nothing may be divided by this ceiling; NULL: it may be used
CREATE TABLE ceilings AS
WITH probed AS (
    SELECT r.host, r.experiment, r.machine, r.side, r.problem, r.precision, coalesce(r.threads, 1) AS threads, r.isa,
           instr(coalesce(v.tensor, ''), r.precision) > 0 AS tensor, iif(r.problem = 'fma', r.gflops, r.gbs) AS rate,
           r.median_s, coalesce(r.ci_lo_s, r.median_s) AS lo_s, coalesce(r.ci_hi_s, r.median_s) AS hi_s,
           r.doubtful AS flagged
    FROM results r
    LEFT JOIN (SELECT host, experiment, name, max(tensor) AS tensor FROM variants GROUP BY 1, 2, 3) v
      ON v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant
    WHERE r.status = 'ok' AND r.problem IN (SELECT name FROM problems WHERE probe))
SELECT host, experiment, machine, side, problem, precision, threads, isa, tensor, iif(problem = 'fma', rate, NULL)
         AS gflops,
       iif(problem = 'fma', NULL, rate) AS gbs, max(rate) AS rate, rate * median_s / hi_s AS least,
       rate * median_s / lo_s AS most, flagged, NULL AS broken
FROM probed GROUP BY host, experiment, machine, side, problem, precision, threads, isa, tensor;
CREATE INDEX ceilings_of ON ceilings(host, experiment, problem, side, precision);

-- The ceilings of each verified cell.
--   rate    GFLOP/s of the operations that the variant needs; a share of the peak is a share of this rate
--   gflops  the peak of the unit that the kernel uses. A kernel that may run on tensor cores may use either unit, so
--           that its peak is the higher of the two; it has none where tensor cores were not measured. A backend that
--           drives a CPU as a device uses all threads.
--   gbs     the read bandwidth of as many threads
--   share   per cent of the peak; NULL above 100, which no kernel can have: then the probe is too low, or the times are
--           too uncertain to say
--   broken  why the cell has no peak although a probe was measured
CREATE TABLE peaks AS
WITH widest AS (
    SELECT host, experiment, machine, max(threads) AS threads FROM ceilings WHERE side = 'CPU' AND problem = 'fma'
    GROUP BY 1, 2, 3),
described AS (
    SELECT host, experiment, name, coalesce(max(unit), 'fma') AS unit, coalesce(max(tensor), '') AS tensor
    FROM variants GROUP BY 1, 2, 3),
placed AS (
    SELECT r.host, r.experiment, r.cell, r.machine, r.side, r.precision, r.isa,
           coalesce(r.threads, iif(b.kind = 'any', w.threads, 1)) AS threads,
           coalesce(v.unit, 'fma') AS unit, instr(coalesce(v.tensor, ''), r.precision) > 0 AS tensor,
           iif(r.halved, r.n * (r.n + 1.0) * coalesce(r.k, r.n) / r.median_s / 1e9, r.gflops) AS rate,
           coalesce(r.ci_hi_s, r.median_s) / r.median_s AS slowest
    FROM results r LEFT JOIN backends b ON b.name = r.backend
    LEFT JOIN widest w ON w.host = r.host AND w.experiment = r.experiment AND w.machine = r.machine
    LEFT JOIN described v ON v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant
    WHERE r.status = 'ok' AND NOT r.probe AND r.median_s > 0)
SELECT p.host, p.experiment, p.cell, p.rate, p.rate / p.slowest AS least,
       (SELECT c.rowid FROM ceilings c
        WHERE c.host = p.host AND c.experiment = p.experiment AND c.problem = 'fma' AND c.side = p.side
          AND c.precision = p.precision AND c.machine = p.machine AND c.tensor <= p.tensor AND p.unit = 'fma'
          AND (p.side = 'GPU' OR c.threads = p.threads)
          AND (p.side = 'GPU' OR c.isa IS NULL OR p.isa IS NULL OR c.isa = p.isa
               OR NOT EXISTS (SELECT 1 FROM ceilings o
                              WHERE o.host = p.host AND o.experiment = p.experiment AND o.problem = 'fma'
                                AND o.machine = p.machine AND o.isa = p.isa))
          AND (NOT p.tensor
               OR EXISTS (SELECT 1 FROM ceilings t
                          WHERE t.host = p.host AND t.experiment = p.experiment AND t.problem = 'fma'
                            AND t.side = p.side AND t.precision = p.precision AND t.machine = p.machine AND t.tensor))
        ORDER BY c.gflops DESC LIMIT 1) AS of_peak,
       (SELECT c.rowid FROM ceilings c
        WHERE c.host = p.host AND c.experiment = p.experiment AND c.problem = 'read' AND c.side = p.side
          AND c.machine = p.machine AND (p.side = 'GPU' OR c.threads = p.threads)
        ORDER BY c.gbs DESC LIMIT 1) AS of_read,
       NULL AS gflops, NULL AS gbs, NULL AS share, NULL AS broken
FROM placed p;
CREATE INDEX peaks_cell ON peaks(host, experiment, cell);

-- A peak is broken if a verified kernel of the same device, precision, threads and unit is faster, even at the slow end
-- of the kernel's interval. A bandwidth is not, as a cache may hold what a solver reads.
UPDATE ceilings SET broken = 'kernel'
WHERE rowid IN (SELECT p.of_peak FROM peaks p JOIN ceilings c ON c.rowid = p.of_peak WHERE p.least > c.gflops);

-- A ceiling of several threads is broken if fewer threads were measured to be faster: what few threads reach, more can.
UPDATE ceilings SET broken = 'threads'
WHERE broken IS NULL AND side = 'CPU'
  AND EXISTS (SELECT 1 FROM ceilings f
              WHERE f.host = ceilings.host AND f.experiment = ceilings.experiment AND f.machine = ceilings.machine
                AND f.side = ceilings.side AND f.problem = ceilings.problem AND f.precision = ceilings.precision
                AND f.isa IS ceilings.isa AND f.tensor = ceilings.tensor AND f.threads < ceilings.threads
                AND verdict(f.rate / ceilings.rate, f.least / ceilings.most, f.most / ceilings.least) = 'faster');

UPDATE peaks SET broken = c.broken, gflops = iif(c.broken IS NULL, c.gflops, NULL) FROM ceilings c
WHERE c.rowid = peaks.of_peak;
UPDATE peaks SET share = iif(rate <= gflops, 100 * rate / gflops, NULL);
UPDATE peaks SET gbs = c.gbs FROM ceilings c WHERE c.rowid = peaks.of_read AND c.broken IS NULL;
