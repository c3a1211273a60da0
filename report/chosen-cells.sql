-- Verified cells of the studies that the report shows, and the ratios of their times. Run report/chosen.sql before this
-- file. SPDX-License-Identifier: MIT

-- The columns beside those of `results`:
--   contract  how a factorisation chooses its pivots
--   chaotic   1: the sweeps of a solver keep no order of the rows
--   library   the library that does the work; NULL for an own variant
--   tensor    the precisions in which the variant may run on tensor cores
--   place     1: the fastest of its variant on as many threads, over all tiles and builds
--   widest    1: on the most threads that its variant was measured on
CREATE TEMP TABLE every_cell AS
SELECT r.*, a.ord AS host_ord, s.study_ord, coalesce(v.contract, 'none') AS contract,
       coalesce(v.chaotic, 0) AS chaotic, nullif(coalesce(v.library, k.library, ''), '') AS library,
       coalesce(v.tensor, '') AS tensor,
       row_number() OVER (PARTITION BY r.host, r.experiment, r.variant, r.task, coalesce(r.threads, 0)
                          ORDER BY r.median_s, r.cell) AS place,
       coalesce(r.threads, 0) = max(coalesce(r.threads, 0)) OVER (PARTITION BY r.host, r.experiment, r.variant, r.task)
         AS widest
FROM results r JOIN chosen USING (host, experiment) JOIN about a USING (host) JOIN study s USING (experiment)
LEFT JOIN (SELECT host, experiment, name, max(pivoting) AS contract, max(chaotic) AS chaotic, max(library) AS library,
                  max(tensor) AS tensor
           FROM variants GROUP BY host, experiment, name) v
  ON v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant
LEFT JOIN known k ON k.name = r.variant
WHERE r.status = 'ok' AND NOT r.probe AND coalesce(r.m, r.n) = r.n AND coalesce(r.k, r.n) = r.n
  AND r.problem NOT IN (SELECT name FROM problems WHERE probe) AND r.experiment <> 'smoke';

-- The cells with hot caches and ordinary host memory. Only findings on the caches or the memory use the others.
CREATE TEMP TABLE cells AS SELECT * FROM every_cell WHERE cache IS NULL AND host_memory IS NULL;
CREATE INDEX cells_task ON cells(host, experiment, task, idea);

-- Two cells of one task in one study. `ratio` is the time of the base over the time of the cell: it is above 1 where
-- the cell is faster. `x` is the number of which `ratio` is the text. `cost_*` is the inverse.
CREATE TEMP VIEW versus AS
SELECT *, ratio(x) AS ratio, ratio(x_low) AS low,
       ratio(x_high) AS high, verdict(x, x_low, x_high, weak) AS verdict,
       ratio(1 / x) AS cost_ratio, ratio(1 / x_high) AS cost_low,
       ratio(1 / x_low) AS cost_high, flagged AS cost_flagged, iif(x < 1, 1, 0) AS slower
FROM (SELECT a.host, a.host_ord, a.experiment, a.study_ord, a.problem, a.task, a.side, a.precision, a.n, a.omega,
a.sweeps,
             a.cell, a.idea, a.variant, a.threads, a.tile, a.padding, a.contract, a.library, a.vendor, a.halved,
             a.chaotic, a.place, a.widest, a.settings, a.iterations, a.gflops, a.median_s,
             marked(si(a.median_s, 's'), a.flagged) AS time,
             b.cell AS base_cell, b.idea AS base, b.variant AS base_variant, b.threads AS base_threads,
             b.tile AS base_tile, b.padding AS base_padding, b.contract AS base_contract, b.library AS base_library,
             b.vendor AS base_vendor, b.halved AS base_halved, b.place AS base_place, b.settings AS base_settings,
             b.iterations AS base_iterations, b.gflops AS base_gflops, b.side AS base_side,
             coalesce(a.rounds, 0) + coalesce(b.rounds, 0) AS rounds,
             b.median_s AS base_s, marked(si(b.median_s, 's'), b.flagged) AS base_time,
             b.median_s / a.median_s AS x, b.ci_lo_s / a.ci_hi_s AS x_low, b.ci_hi_s / a.ci_lo_s AS x_high,
             a.flagged AS own_flagged, b.flagged AS base_flagged, all_flags(a.flagged, b.flagged) AS flagged,
             coalesce(a.weak, b.weak) AS weak
      FROM cells a JOIN cells b ON b.host = a.host AND b.experiment = a.experiment AND b.task = a.task);

-- The sweeps of each solver that ran until it converged: over all its runs, as a chaotic one varies from run to run.
CREATE TEMP TABLE solves AS
SELECT c.host, c.experiment, c.cell, count(s.iterations) AS runs, coalesce(min(s.iterations), c.iterations) AS least,
       coalesce(median(s.iterations), c.iterations) AS middle, coalesce(max(s.iterations), c.iterations) AS most
FROM cells c LEFT JOIN samples s ON s.host = c.host AND s.experiment = c.experiment AND s.cell = c.cell
  AND s.iterations > 0
WHERE c.solver AND c.sweeps IS NULL GROUP BY c.host, c.experiment, c.cell;

-- Jacobi's sweeps at each n and precision: those measured on the host, else the window of published/expected.csv.
CREATE TEMP TABLE jacobi_sweeps AS
SELECT h.host, e.n, e.precision, 0 AS measured, e.iterations_low AS least, e.iterations_high AS most
FROM about h, expected e WHERE e.problem = 'jacobi' AND e.omega = 1;
DELETE FROM jacobi_sweeps
WHERE EXISTS (SELECT 1 FROM cells c WHERE c.host = jacobi_sweeps.host AND c.problem = 'jacobi' AND c.omega = 1
                AND c.sweeps IS NULL AND c.n = jacobi_sweeps.n AND c.precision = jacobi_sweeps.precision);
INSERT INTO jacobi_sweeps
SELECT host, n, precision, 1, min(iterations), max(iterations) FROM cells
WHERE problem = 'jacobi' AND omega = 1 AND sweeps IS NULL GROUP BY host, n, precision;
