-- The base layer: what a variant is, and which cells are verified. Every query of the report, the figures, the site and
-- the tools selects from it. The program runs this file whenever it has loaded results, after report/withdrawn.sql.
-- SPDX-License-Identifier: MIT

-- What the run record of a study says of a variant, and else this program.
--   contract        how a factorisation chooses its pivots
--   chaotic         1: the sweeps of a solver keep no order of the rows
--   library         the library that does the work; NULL for an own variant
--   style           the library's style in figures/style.gp; 0 for an own variant
--   tensor          the precisions in which the variant may run on tensor cores
--   input_roundoff  to what the variant rounds its inputs; 0: to their precision
--   parts           the type that tensor cores multiply, where it is not the precision
--   split           the precision in which tensor cores compute `products` of such parts for one product of elements
CREATE TABLE variant_facts AS
SELECT n.host, n.experiment, n.variant, coalesce(min(v.ord), 0) AS ord, coalesce(max(v.unit), 'fma') AS unit,
       coalesce(max(v.tensor), '') AS tensor, coalesce(max(v.pivoting), 'none') AS contract,
       coalesce(max(v.chaotic), 0) AS chaotic, nullif(coalesce(max(v.library), k.library, ''), '') AS library,
       coalesce(max(v.style), k.style, 0) AS style, coalesce(max(v.input_roundoff), 0) AS input_roundoff,
       nullif(coalesce(max(v.parts), k.parts, ''), '') AS parts, coalesce(max(v.split), k.split, '') AS split,
       coalesce(max(v.products), k.products, 0) AS products
FROM (SELECT host, experiment, variant FROM results UNION SELECT host, experiment, name FROM variants) n
LEFT JOIN variants v ON v.host = n.host AND v.experiment = n.experiment AND v.name = n.variant
LEFT JOIN known k ON k.name = n.variant
GROUP BY n.host, n.experiment, n.variant;
CREATE UNIQUE INDEX variant_facts_of ON variant_facts(host, experiment, variant);

-- Every result with the facts of its variant.
--   on_tensor  1: the cell may run on tensor cores
--   by_bytes   1: memory bounds the variant, so that its rate is told in GB/s and its ceiling is the read bandwidth
--   emulated   1: tensor cores or a tile unit compute the cell from parts or residues of operands, as they multiply no
--              f32, and f64 slowly
--   span       the time with its interval, as ratio(), ratio_low(), ratio_high() and verdict() take it
CREATE VIEW described AS
SELECT r.*, f.ord, f.unit, f.tensor, f.contract, f.chaotic, f.library, f.style AS library_style, f.input_roundoff,
       f.parts, f.split, f.products, instr(f.tensor, r.precision) > 0 AS on_tensor,
       r.solver OR f.unit = 'memory' AS by_bytes,
       f.split = r.precision AND r.precision <> 'i32' AND f.library IS NULL AND f.input_roundoff = 0 AS emulated,
       span(r.median_s, r.ci_lo_s, r.ci_hi_s) AS span
FROM results r CROSS JOIN variant_facts f USING (host, experiment, variant);

-- On what terms a GPU computed each cell. Two cells at the power limit were compared at equal power, and each at the
-- clock that it has there.
--   capped    1: most samples were taken at the power limit
--   limit_w   this limit; NULL: not recorded
--   clock_hz  the clock of the multiprocessors, the median of the samples
CREATE VIEW terms AS
SELECT r.host, r.experiment, r.cell,
       (SELECT avg(instr('+' || coalesce(s.flags, '') || '+', '+capped+') > 0) > 0.5 FROM samples s
        WHERE s.host = r.host AND s.experiment = r.experiment AND s.cell = r.cell AND s.kernel_s > 0) AS capped,
       (SELECT max(CAST(m.value AS INTEGER)) FROM machine m
        WHERE m.host = r.host AND m.experiment = r.experiment AND m.key = 'gpu.power_limit_w') AS limit_w,
       (SELECT median(s.clock_hz) FROM samples s
        WHERE s.host = r.host AND s.experiment = r.experiment AND s.cell = r.cell AND s.kernel_s > 0) AS clock_hz
FROM results r;

-- The verified cells with square matrices, without the probes that the runner adds to a study. A conclusion takes those
-- of them that are `usual` and whose study `counts`, so that a new axis of the role CONDITION cannot change it.
CREATE VIEW cells AS SELECT * FROM described WHERE status = 'ok' AND NOT probe AND square;

-- The energy of a run of each verified cell that a counter has told it for.
--   low_j, high_j  the range of the rounds; NULL: there are not several
--   joules         the energy with this interval, as ratio(), ratio_low() and ratio_high() take it
CREATE VIEW energies AS
WITH ranged AS (
    SELECT c.host, c.experiment, c.cell, c.energy_j AS middle_j,
           iif(count(s.energy_j) > 1, min(s.energy_j), NULL) AS low_j,
           iif(count(s.energy_j) > 1, max(s.energy_j), NULL) AS high_j
    FROM cells c LEFT JOIN samples s ON s.host = c.host AND s.experiment = c.experiment AND s.cell = c.cell
      AND s.energy_j > 0
    WHERE c.energy_j > 0 GROUP BY c.host, c.experiment, c.cell)
SELECT host, experiment, cell, low_j, high_j, span(middle_j, low_j, high_j) AS joules FROM ranged;

-- The time of each verified cell with the copies. It is a series of its own, so that its interval is the range of its
-- own rounds; a cell that copies nothing has the time of its run alone.
--   end_lo_s, end_hi_s  the range of the rounds; NULL: there are not several
--   whole               the time with this interval, as ratio(), ratio_low() and ratio_high() take it
CREATE VIEW totals AS
WITH round AS (
    SELECT host, experiment, cell, median(total_s) AS total_s FROM samples WHERE total_s > 0
    GROUP BY host, experiment, cell, round),
ranged AS (
    SELECT host, experiment, cell, min(total_s) AS lo_s, max(total_s) AS hi_s FROM round
    GROUP BY host, experiment, cell HAVING count(*) > 1)
SELECT c.host, c.experiment, c.cell, coalesce(c.total_s, c.median_s) AS end_s,
       iif(c.total_s > 0, r.lo_s, c.ci_lo_s) AS end_lo_s, iif(c.total_s > 0, r.hi_s, c.ci_hi_s) AS end_hi_s,
       iif(c.total_s > 0, span(c.total_s, r.lo_s, r.hi_s), c.span) AS whole
FROM cells c LEFT JOIN ranged r USING (host, experiment, cell);

-- The sweeps of each solver that ran until it converged: over all its runs, as a chaotic one varies from run to run.
-- `runs`: how many runs have a sample; a sample tells its last run.
CREATE VIEW solves AS
SELECT c.host, c.experiment, c.cell, count(s.iterations) AS runs, coalesce(min(s.iterations), c.iterations) AS least,
       coalesce(median(s.iterations), c.iterations) AS middle, coalesce(max(s.iterations), c.iterations) AS most
FROM cells c LEFT JOIN samples s ON s.host = c.host AND s.experiment = c.experiment AND s.cell = c.cell
  AND s.iterations > 0
WHERE c.solver AND c.sweeps IS NULL GROUP BY c.host, c.experiment, c.cell;

-- Jacobi's sweeps at each n and precision: those measured on the host, else the window of published/expected.csv.
CREATE VIEW jacobi_sweeps AS
WITH measured AS (
    SELECT host, n, precision, min(iterations) AS least, max(iterations) AS most FROM cells
    WHERE problem = 'jacobi' AND omega = 1 AND sweeps IS NULL AND usual AND counts GROUP BY host, n, precision)
SELECT host, n, precision, 1 AS measured, least, most FROM measured
UNION ALL
SELECT h.host, e.n, e.precision, 0, min(e.iterations_low), max(e.iterations_high) FROM hosts h JOIN expected e
WHERE e.problem = 'jacobi' AND e.omega = 1
  AND (h.host, e.n, e.precision) NOT IN (SELECT host, n, precision FROM measured)
GROUP BY h.host, e.n, e.precision;

-- The time to solution of each iterative method, on each machine: the least of all own variants and tiles in the study
-- that measured both Gauss-Seidel and Jacobi at the point, so that times of one run stand beside each other. A method
-- that this study lacks there has its least time of all studies.
--   method  Gauss-Seidel, Jacobi or weighted Jacobi
--   place   one core, all cores (the most threads that the machine ran a solver on), GPU, or GPU with copies
--   s, span the time, and the time with its interval
--   single  1: one run alone
CREATE VIEW solutions AS
WITH solver AS (
    SELECT *, CASE WHEN problem = 'seidel' THEN 'Gauss-Seidel' WHEN omega = 1 THEN 'Jacobi' ELSE 'weighted Jacobi' END
                AS method,
           max(threads) OVER (PARTITION BY host, machine) AS most_threads
    FROM cells
    WHERE solver AND sweeps IS NULL AND usual AND counts AND NOT chaotic AND (problem = 'jacobi' OR omega = 1)
      AND library IS NULL),
placed AS (
    SELECT *, 'one core' AS place, median_s AS s, ci_lo_s AS lo_s, ci_hi_s AS hi_s FROM solver
    WHERE side = 'CPU' AND coalesce(threads, 1) = 1
    UNION ALL
    SELECT *, 'all cores', median_s, ci_lo_s, ci_hi_s FROM solver
    WHERE side = 'CPU' AND threads > 1 AND threads = most_threads
    UNION ALL
    SELECT *, 'GPU', median_s, ci_lo_s, ci_hi_s FROM solver WHERE side = 'GPU'
    UNION ALL
    SELECT s.*, 'GPU with copies', t.end_s, t.end_lo_s, t.end_hi_s
    FROM solver s JOIN totals t USING (host, experiment, cell) WHERE s.side = 'GPU' AND s.total_s > 0),
timed AS (SELECT *, lo_s IS NULL AS single FROM placed),
both AS (
    SELECT host, machine, n, precision, place, experiment,
           row_number() OVER (PARTITION BY host, machine, n, precision, place
                              ORDER BY count(DISTINCT method) DESC, min(s), experiment) AS turn
    FROM timed GROUP BY host, machine, n, precision, place, experiment
    HAVING min(method) = 'Gauss-Seidel' AND max(method) <> 'Gauss-Seidel'),
ranked AS (
    SELECT t.*, row_number() OVER (PARTITION BY t.host, t.machine, t.n, t.precision, t.method, t.place
                                   ORDER BY b.experiment IS NOT t.experiment, t.s, t.cell) AS first
    FROM timed t LEFT JOIN both b ON b.host = t.host AND b.machine = t.machine AND b.n = t.n
      AND b.precision = t.precision AND b.place = t.place AND b.turn = 1)
SELECT host, experiment, machine, cell, n, precision, method, place, variant, idea, ord, omega, threads, iterations,
       s, lo_s, hi_s, single, span(s, lo_s, hi_s) AS span, flagged, weak
FROM ranked WHERE first = 1;

-- What the times of each host are good for.
--   good      times that give a verdict; few lack rounds or launches, doubtful ones carry a doubt
--   decides   1: at least three quarters of the times give a verdict, and no host has over four times as many verdicts
CREATE VIEW host_verdicts AS
SELECT *, 4 * good >= 3 * times AND 4 * good >= max(good) OVER () AS decides
FROM (SELECT host, count(*) AS times, sum(weak IS NULL) AS good, sum(weak <> 'flagged') AS few,
             sum(weak IS 'flagged') AS doubtful, sum(coalesce(stale, 0)) AS stale
      FROM cells WHERE counts GROUP BY host);
