-- One study on one host, ready for figures and tables. Parameters: :host, :experiment. Run in front of every other
-- file. SPDX-License-Identifier: MIT

-- Cells of the study, and of the probes beside it (`probe`). `contract`: how a factorisation chooses its pivots.
CREATE TEMP TABLE cell AS
SELECT r.*, coalesce(v.ord, 0) AS ord, coalesce(v.unit, 'fma') AS unit, coalesce(v.tensor, '') AS tensor,
       coalesce(v.pivoting, 'none') AS contract, coalesce(v.chaotic, 0) AS chaotic,
       coalesce(r.flags, '') <> '' AS flagged,
       -- Predictions differ from cell to cell; the reason without them is the same.
       CASE WHEN r.reason LIKE '%: predicted %' THEN substr(r.reason, 1, instr(r.reason, ': predicted ') - 1)
            WHEN r.reason LIKE '%predicted to take % s, more than %'
              THEN 'one run is predicted to take ' || substr(r.reason, instr(r.reason, 'more than ')) ELSE replace(r.reason, ' on this machine', '') END AS reason_class
FROM results r
LEFT JOIN (SELECT name, min(ord) AS ord, max(unit) AS unit, max(tensor) AS tensor, max(pivoting) AS pivoting, max(chaotic) AS chaotic FROM variants WHERE host = :host AND experiment = :experiment GROUP BY name) v
  ON v.name = r.variant
WHERE r.host = :host AND r.experiment = :experiment;

-- Verified products; shapes that are not square are left to the tables.
-- `rate`: GFLOP/s of the operations that are needed, which is what a share of the peak is of.
CREATE TEMP TABLE good AS
SELECT *, iif(halved, n * (n + 1.0) * coalesce(k, n) / median_s / 1e9, gflops) AS rate
FROM cell WHERE status = 'ok' AND NOT probe AND coalesce(m, n) = n AND coalesce(k, n) = n;

-- The name of a curve: the variant, and those axes that vary within it; `family`: without the threads.
CREATE TEMP TABLE curves AS
WITH varies AS (
    SELECT variant, count(DISTINCT tile) > 1 AS tile, count(DISTINCT row_tile) > 1 AS row_tile,
           count(DISTINCT padding) > 1 AS padding, count(DISTINCT isa) > 1 AS isa, count(DISTINCT opt) > 1 AS opt,
           count(DISTINCT coalesce(mc, 0)) > 1 AS mc, count(DISTINCT coalesce(nc, 0)) > 1 AS nc, count(DISTINCT coalesce(kc, 0)) > 1 AS kc,
           count(DISTINCT omega) > 1 AS omega, count(DISTINCT coalesce(sweeps, 0)) > 1 AS sweeps
    FROM good GROUP BY variant),
study AS (SELECT count(DISTINCT precision) > 1 AS precision, count(DISTINCT problem) > 1 AS problem,
                 count(DISTINCT threads) > 1 AS threads FROM good),
named AS (
SELECT g.cell, g.ord,
       iif(study.problem, g.variant, g.idea) || iif(g.chaotic, ' (chaotic relaxation)', '')
       || iif(study.precision, ' ' || g.precision, '')
       || iif(v.isa AND g.isa IS NOT NULL, ' ' || g.isa, '')
       || iif(v.opt AND g.opt IS NOT NULL, ' ' || g.opt, '')
       || iif(v.tile AND g.tile IS NOT NULL, ', tile ' || g.tile, '')
       || iif(v.row_tile AND g.row_tile IS NOT NULL, ' x ' || g.row_tile, '')
       || iif(v.padding AND g.padding IS NOT NULL, ', padding ' || g.padding, '')
       || iif(v.mc, ', mc ' || coalesce(g.mc, 'chosen'), '')
       || iif(v.nc, ', nc ' || coalesce(g.nc, 'chosen'), '')
       || iif(v.kc, ', kc ' || coalesce(g.kc, 'chosen'), '')
       || iif(v.omega AND g.omega IS NOT NULL, ', omega ' || printf('%.9g', g.omega), '')
       || iif(v.sweeps, coalesce(', ' || g.sweeps || iif(g.sweeps = 1, ' sweep', ' sweeps'), ', to convergence'), '')
         AS family,
       iif(study.threads AND g.threads IS NOT NULL, ', ' || g.threads || iif(g.threads = 1, ' thread', ' threads'), '') AS suffix,
       -- One style a variant in the whole report: figures/style.gp draws 1 to 6 for the libraries, from 10 on the
       -- CPU's ladder, from 40 on the GPU's.
       CASE WHEN g.idea GLOB 'blas-openblas*' THEN 1 WHEN g.idea GLOB 'blas-blis*' THEN 2
            WHEN g.idea GLOB 'blas-mkl*' THEN 3 WHEN g.backend = 'blas' THEN 4
            WHEN g.idea IN ('cublas', 'cublas-syrk', 'cublas-gemm', 'cusolver') THEN 5
            WHEN g.idea LIKE 'cublas-%' OR g.idea = 'cusolver-nopivot' THEN 6
            WHEN g.side = 'GPU' THEN 40 + g.ord % 8 ELSE 10 + g.ord % 9 END AS style,
       -- A library's gemm beside its syrk is dashed, as are its variants of further problems. `family_dash`: for figures
       -- that leave the threads out.
       dense_rank() OVER (PARTITION BY g.variant
                          ORDER BY g.precision, g.isa, g.opt, g.tile, g.row_tile, g.padding, g.mc, g.nc, g.kc, g.omega, g.sweeps) - 1 AS family_rank,
       dense_rank() OVER (PARTITION BY g.variant
                          ORDER BY g.precision, g.isa, g.opt, g.tile, g.row_tile, g.padding, g.mc, g.nc, g.kc, g.omega, g.sweeps, g.threads) - 1 AS rank,
       (g.vendor AND g.idea GLOB '*-gemm')
         + g.vendor * 3 * (dense_rank() OVER (ORDER BY (SELECT min(f.ord) FROM good f WHERE f.problem = g.problem)) - 1) AS shift
FROM good g JOIN varies v ON v.variant = g.variant JOIN study)
SELECT *, family || suffix AS curve, rank + shift AS dash, family_rank + shift AS family_dash FROM named;

-- Each curve but for its threads on as many threads as it was measured on: time and GFLOP/s over n. Fewer are for figures
-- of threads.
CREATE TEMP VIEW widest AS
WITH most AS (SELECT c.family, max(g.threads) AS threads FROM good g JOIN curves c USING (cell) GROUP BY c.family)
SELECT g.* FROM good g JOIN curves c USING (cell) JOIN most m ON m.family = c.family AND m.threads IS g.threads;

-- Measured ceilings: FMA rate for each thread count and instruction set, on tensor cores apart; bandwidth for each
-- thread count.
CREATE TEMP TABLE ceiling AS
SELECT side, problem, precision, coalesce(threads, 1) AS threads, isa, instr(tensor, precision) > 0 AS tensor,
       max(gflops) AS gflops, max(gbs) AS gbs
FROM cell WHERE problem IN (SELECT name FROM problems WHERE probe) AND status = 'ok'
GROUP BY side, problem, precision, coalesce(threads, 1), isa, instr(tensor, precision) > 0;

-- The measured peak of the unit that a cell's kernel uses. What may run on tensor cores may use either unit: its peak is
-- the higher, and it has none where tensor cores were not measured.
CREATE TEMP TABLE peak AS
SELECT g.cell,
       (SELECT max(c.gflops) FROM ceiling c
        WHERE c.problem = 'fma' AND c.side = g.side AND c.precision = g.precision
          AND c.tensor <= (instr(g.tensor, g.precision) > 0)
          AND (g.side = 'GPU' OR c.threads = coalesce(g.threads, 1))
          AND (c.isa IS NULL OR g.isa IS NULL OR c.isa = g.isa OR g.side = 'GPU'
               OR NOT EXISTS (SELECT 1 FROM ceiling o WHERE o.problem = 'fma' AND o.isa = g.isa))) AS gflops
FROM good g
WHERE g.unit = 'fma'
  AND (NOT instr(g.tensor, g.precision)
       OR EXISTS (SELECT 1 FROM ceiling t WHERE t.tensor AND t.side = g.side AND t.precision = g.precision));

-- A probe below a verified kernel of the same device, precision, threads and unit is broken: the kernel is faster even
-- at the slow end of its interval.
CREATE TEMP TABLE broken AS
SELECT g.cell, g.side, g.precision, g.threads, instr(g.tensor, g.precision) > 0 AS tensor, c.curve, g.n, g.rate,
       p.gflops AS peak
FROM good g JOIN peak p USING (cell) JOIN curves c USING (cell)
WHERE g.rate * g.median_s > p.gflops * coalesce(g.ci_hi_s, g.median_s);

-- The vendors' fastest variant for each task on each device: of the contract where they have one, else of any.
CREATE TEMP TABLE vendor AS
WITH asked AS (SELECT DISTINCT task, side, contract FROM good),
offered AS (
    SELECT a.contract AS asked, g.*,
           row_number() OVER (PARTITION BY a.task, a.side, a.contract ORDER BY g.contract <> a.contract, g.median_s, g.ord) AS place
    FROM asked a JOIN good g USING (task, side) WHERE g.vendor)
SELECT task, side, asked AS contract, problem, precision, n, omega, sweeps, variant, idea, threads, contract AS own_contract,
       median_s, ci_lo_s, ci_hi_s, total_s
FROM offered WHERE place = 1;

-- The study's baseline of each task and contract: the fastest row that the experiment's `baseline` matches, or of a
-- library of the contract where the baseline has another one; else the BLAS of the CPU, else (i32) the fastest variant
-- of all.
CREATE TEMP TABLE baseline AS
WITH named AS (SELECT baseline AS pattern FROM experiments WHERE host = :host AND name = :experiment),
asked AS (SELECT DISTINCT task, contract FROM good),
candidate AS (
    SELECT a.contract AS asked, g.*, named.pattern IS NOT NULL AND (g.variant GLOB named.pattern OR g.idea GLOB named.pattern) AS is_named,
           named.pattern IS NULL AS free
    FROM asked a JOIN good g USING (task), named),
ranked AS (
    SELECT *, CASE WHEN is_named THEN iif(contract = asked, 1, 3)
                   WHEN vendor AND contract = asked
                     AND EXISTS (SELECT 1 FROM candidate n WHERE n.task = c.task AND n.is_named AND n.side = c.side
                                   AND n.contract <> c.asked) THEN 2
                   WHEN free AND backend = 'blas' THEN 4 WHEN free AND precision = 'i32' THEN 5 END AS choice
    FROM candidate c),
placed AS (SELECT *, row_number() OVER (PARTITION BY task, asked ORDER BY choice, median_s, ord) AS place FROM ranked WHERE choice)
SELECT task, asked AS contract, problem, precision, n, omega, sweeps, variant, idea, side, threads, median_s, ci_lo_s, ci_hi_s
FROM placed WHERE place = 1;

-- Every cell on several threads against the same on one.
CREATE TEMP VIEW threaded AS
SELECT g.*, o.median_s / g.median_s AS gain, coalesce(o.ci_lo_s, o.median_s) / coalesce(g.ci_hi_s, g.median_s) AS gain_low,
       coalesce(o.ci_hi_s, o.median_s) / coalesce(g.ci_lo_s, g.median_s) AS gain_high, g.flagged OR o.flagged AS either_flagged
FROM good g JOIN good o ON o.threads = 1 AND o.variant = g.variant AND o.task = g.task AND o.tile IS g.tile
    AND o.row_tile IS g.row_tile AND o.padding IS g.padding AND o.mc IS g.mc AND o.nc IS g.nc AND o.kc IS g.kc
    AND o.isa IS g.isa AND o.opt IS g.opt
WHERE g.threads > 1;

-- The same in panels: one for each variant and its axes but for the threads.
CREATE TEMP VIEW scaled AS
SELECT t.*, c.family, dense_rank() OVER (ORDER BY c.ord, t.tile, c.family) AS panel FROM threaded t JOIN curves c USING (cell);

-- What the bank model and the counters say of GPU cells, where a table asks for them: at n = 1024, as the source has
-- it, else at the largest n counted, else at the largest n. Counts are those of the source that was measured.
CREATE TEMP VIEW counted AS
SELECT k.*, c.idea, c.ord FROM counters k JOIN cell c USING (host, experiment, cell)
WHERE k.status = 'ok' AND k.source_hash IS c.source_hash;

CREATE TEMP VIEW bank_n AS
SELECT coalesce((SELECT max(n) FROM counted WHERE n = 1024), (SELECT max(n) FROM counted),
                (SELECT max(n) FROM cell WHERE side = 'GPU' AND NOT probe AND n = 1024),
                (SELECT max(n) FROM cell WHERE side = 'GPU' AND NOT probe)) AS n;

CREATE TEMP VIEW bank AS
WITH modelled AS MATERIALIZED (
    SELECT cell, ord, idea, precision, n, k, tile, padding, model(variant, precision, m, n, k, tile, padding) AS model
    FROM cell JOIN bank_n USING (n) WHERE side = 'GPU' AND NOT probe)
SELECT * FROM modelled WHERE model IS NOT NULL;

-- The frontier: at each point of a study the fastest own variant and the fastest library, on the same threads. `share`
-- is the library's time over the own one's, round by round: measured side by side, both have met the same neighbours.
CREATE TEMP VIEW fastest AS
SELECT *, row_number() OVER (PARTITION BY task, side, contract, threads, vendor ORDER BY median_s, ord) AS place
FROM good WHERE unit = 'fma' AND idea NOT LIKE 'cublas-tf32';

CREATE TEMP VIEW frontier AS
WITH pair AS MATERIALIZED (
    SELECT o.task, o.contract, o.problem, o.side, o.precision, o.threads, o.n, o.cell AS own_cell, o.idea AS own, o.median_s AS own_s, o.gflops AS own_gflops,
           o.gflops * o.median_s / coalesce(o.ci_hi_s, o.median_s) AS own_least, o.gflops * o.median_s / coalesce(o.ci_lo_s, o.median_s) AS own_most,
           v.gflops * v.median_s / coalesce(v.ci_hi_s, v.median_s) AS vendor_least, v.gflops * v.median_s / coalesce(v.ci_lo_s, v.median_s) AS vendor_most,
           o.flagged AS own_flagged, v.cell AS vendor_cell, v.idea AS vendor, v.median_s AS vendor_s, v.gflops AS vendor_gflops,
           v.flagged AS vendor_flagged
    FROM fastest o JOIN fastest v USING (task, side, contract)
    WHERE o.place = 1 AND v.place = 1 AND NOT o.vendor AND v.vendor AND o.threads IS v.threads),
round_s AS MATERIALIZED (
    SELECT s.cell, s.round, median(s.kernel_s) AS s, max(coalesce(s.flags, '') <> '') AS flagged
    FROM samples s JOIN cell c USING (host, experiment, cell)
    WHERE s.kernel_s IS NOT NULL AND s.cell IN (SELECT own_cell FROM pair UNION SELECT vendor_cell FROM pair)
    GROUP BY s.cell, s.round),
share AS (
    SELECT p.own_cell, v.s / o.s AS share, o.flagged OR v.flagged AS flagged
    FROM pair p JOIN round_s o ON o.cell = p.own_cell JOIN round_s v ON v.cell = p.vendor_cell AND v.round = o.round)
SELECT p.*, count(*) AS rounds, median(share) AS share, min(share) AS low, max(share) AS high,
       count(*) FILTER (WHERE NOT s.flagged) AS clean_rounds, median(iif(s.flagged, NULL, share)) AS clean_share,
       min(share) FILTER (WHERE NOT s.flagged) AS clean_low, max(share) FILTER (WHERE NOT s.flagged) AS clean_high
FROM pair p JOIN share s USING (own_cell) GROUP BY p.own_cell;

-- Sweeps of solvers to convergence. `runs` of a cell: each sample counts those of its last run. `chaotic`: without order.
CREATE TEMP VIEW solved AS
SELECT g.cell, g.ord, g.problem, g.variant, g.idea, g.side, g.precision, g.n, g.threads, g.tile, g.chaotic, g.flagged,
       count(*) AS runs, min(s.iterations) AS least, median(s.iterations) AS middle, max(s.iterations) AS most
FROM good g JOIN samples s USING (host, experiment, cell)
WHERE s.iterations > 0 AND g.sweeps IS NULL AND g.omega = 1
GROUP BY g.cell;

-- Jacobi's sweeps at the same n and precision on the same host, where they were measured, else the window of
-- published/expected.csv.
CREATE TEMP VIEW jacobi_sweeps AS
SELECT n, precision, max(measured) AS measured, min(least) AS least, max(most) AS most
FROM (SELECT n, precision, 1 AS measured, min(iterations) AS least, max(iterations) AS most FROM results
      WHERE host = (SELECT host FROM cell) AND problem = 'jacobi' AND status = 'ok' AND sweeps IS NULL AND omega = 1 AND experiment <> 'smoke'
      GROUP BY n, precision
      UNION ALL
      SELECT n, precision, 0, iterations_low, iterations_high FROM expected e
      WHERE problem = 'jacobi' AND omega = 1
        AND NOT EXISTS (SELECT 1 FROM results r WHERE r.host = (SELECT host FROM cell) AND r.problem = 'jacobi' AND r.status = 'ok' AND r.sweeps IS NULL
                        AND r.omega = 1 AND r.n = e.n AND r.precision = e.precision AND r.experiment <> 'smoke'))
GROUP BY n, precision;
