-- What bounds each verified cell, by rules. The program runs this file whenever it has loaded results, behind
-- report/ceilings.sql, so that `tilelab why`, the report and the site name the same limits.
-- SPDX-License-Identifier: MIT

-- How much of the time the data pipe of a multiprocessor works, which shared memory and the L1 cache share: from the
-- counters of a launch, or by the model of memory banks. `share` is between 0 and 1.
--   unit    what the pipe does most
--   family  what a warp waits for where the pipe is the limit
-- Old counts lack the passes through the pipe for global memory: a load then counts as one pass, or as one for each of
-- its lines of 128 bytes, which is the least that it takes. The model counts in the same way. It knows the time at the
-- highest clock alone, and so the least share, as the clock is often lower.
CREATE VIEW pipe AS
WITH told AS (
    SELECT r.host, r.experiment, r.cell, r.median_s, known_model(r.variant, r.settings) AS model,
           (SELECT max(m.value + 0) FROM machine m WHERE m.host = r.host AND m.experiment = r.experiment
              AND m.key = 'gpu.multiprocessors') AS multiprocessors,
           (SELECT max(m.value + 0) FROM machine m WHERE m.host = r.host AND m.experiment = r.experiment
              AND m.key = 'gpu.clock_khz') AS khz
    FROM results r WHERE r.status = 'ok' AND r.side = 'GPU' AND r.backend = 'cuda' AND NOT r.probe),
passed AS (
    SELECT host, experiment, cell, 0 AS by_model, source_hash, 1.0 * active_cycles AS cycles,
           coalesce(data_wavefronts, 0) AS data_passes,
           shared_load_wavefronts + shared_store_wavefronts AS shared_passes,
           shared_load_conflicts + shared_store_conflicts - shared_arbitration_conflicts AS conflicts,
           coalesce(global_wavefronts, max(global_load_requests + global_store_requests,
                                           (global_load_sectors + global_store_sectors) / 4)) AS global_passes,
           1.0 * global_load_sectors / nullif(global_load_requests, 0) AS load_sectors
    FROM counters WHERE status = 'ok' AND active_cycles > 0
    UNION ALL
    SELECT host, experiment, cell, 1, NULL, median_s * multiprocessors * 1e3 * khz, 0,
           (model ->> '$.shared_load.wavefronts') + (model ->> '$.shared_store.wavefronts'),
           (model ->> '$.shared_load.conflicts') + (model ->> '$.shared_store.conflicts'),
           max((model ->> '$.global_load.instructions') + (model ->> '$.global_store.instructions'),
               ((model ->> '$.global_load.sectors') + (model ->> '$.global_store.sectors')) / 4),
           1.0 * (model ->> '$.global_load.sectors') / nullif(model ->> '$.global_load.instructions', 0)
    FROM told WHERE model IS NOT NULL)
SELECT host, experiment, cell, by_model, source_hash,
       CASE WHEN shared_passes < global_passes THEN iif(load_sectors > 8, 'uncoalesced loads', 'L1 cache')
            WHEN 3 * conflicts >= shared_passes THEN 'bank conflicts' ELSE 'shared memory' END AS unit,
       iif(shared_passes < global_passes, 'global memory', 'shared memory') AS family,
       max(data_passes, shared_passes + global_passes) / cycles AS share
FROM passed;

-- How much of the time each unit of a GPU works, from the counters of a launch; the columns are those of `pipe`. A
-- multiprocessor has four schedulers, eight units for f32, four for integers, for f64 and of tensor cores, and one data
-- pipe. A slice of the L2 cache has two ports.
CREATE VIEW busy AS
WITH told AS (
    SELECT host, experiment, cell, source_hash, precision, 1.0 * cycles AS cycles, 1.0 * active_cycles AS active,
           issue_cycles, fma_cycles, tensor_cycles, wide_fma_cycles, double_cycles, l2_cycles, l2_read_cycles
    FROM counters WHERE status = 'ok' AND active_cycles > 0)
SELECT host, experiment, cell, source_hash, 'instruction issue' AS unit, 'compute' AS family,
       issue_cycles / (4 * active) AS share
FROM told
UNION ALL SELECT host, experiment, cell, source_hash, 'multiply-add units', 'compute', fma_cycles / (8 * active)
FROM told
UNION ALL SELECT host, experiment, cell, source_hash, 'integer multiply units', 'compute',
                 wide_fma_cycles / (4 * active)
FROM told WHERE precision = 'i32'
UNION ALL SELECT host, experiment, cell, source_hash, 'f64 units', 'compute', double_cycles / (4 * active) FROM told
UNION ALL SELECT host, experiment, cell, source_hash, 'tensor cores', 'compute', tensor_cycles / (4 * active)
FROM told
UNION ALL SELECT host, experiment, cell, source_hash, unit, family, share FROM pipe WHERE by_model = 0 AND share > 0
UNION ALL SELECT host, experiment, cell, source_hash, 'L2 cache', 'global memory', 0.5 * l2_read_cycles / l2_cycles
FROM told
UNION ALL SELECT host, experiment, cell, source_hash, 'idle multiprocessors', 'blocks', 1 - active / cycles FROM told;

-- What the warps of a launch wait for most, as a family of units or otherwise. A warp that was not selected was ready,
-- so that it waited for nothing.
--   share  of all the waiting, between 0 and 1
CREATE VIEW waits AS
WITH waited(host, experiment, cell, source_hash, family, cycles) AS (
    SELECT host, experiment, cell, source_hash, 'global memory',
           stall_long_scoreboard + stall_lg_throttle + stall_tex_throttle + stall_drain FROM counters
    UNION ALL SELECT host, experiment, cell, source_hash, 'shared memory', stall_short_scoreboard + stall_mio_throttle
    FROM counters
    UNION ALL SELECT host, experiment, cell, source_hash, 'compute',
                     stall_math_pipe_throttle + stall_wait + stall_dispatch + coalesce(stall_gmma, 0) FROM counters
    UNION ALL SELECT host, experiment, cell, source_hash, 'other warps',
                     stall_barrier + stall_membar + stall_sleeping FROM counters
    UNION ALL SELECT host, experiment, cell, source_hash, 'instructions',
                     stall_no_instruction + stall_branch_resolving + stall_imc_miss + stall_misc FROM counters)
SELECT host, experiment, cell, source_hash, family, 1.0 * max(cycles) / sum(cycles) AS share
FROM waited GROUP BY host, experiment, cell, source_hash HAVING sum(cycles) > 0;

-- The limit of each verified cell: the unit that works most, if it works at least half of the time. Counters of the
-- same source decide; where there are none, the model of memory banks does, and the rate beside the measured ceilings.
--   unit      the limit; NULL: unknown
--   busiest   the unit that works most, and `share` how much of the time, or of its ceiling
--   by_model  1: there are no counters
--   wait      what warps wait for most, and `waited` its share; NULL: not counted
--   agrees    1: the limit is of the family that warps wait for most; NULL: unknown, or no warp is there to wait
CREATE VIEW limits AS
WITH counted AS (
    SELECT r.host, r.experiment, r.cell, r.median_s, k.source_hash, k.dram_read_bytes + k.dram_write_bytes AS moved
    FROM results r JOIN counters k ON k.host = r.host AND k.experiment = r.experiment AND k.cell = r.cell
      AND k.source_hash IS r.source_hash
    WHERE r.status = 'ok' AND k.status = 'ok' AND NOT r.probe),
used(host, experiment, cell, by_model, unit, family, share) AS (
    SELECT c.host, c.experiment, c.cell, 0, b.unit, b.family, b.share FROM counted c JOIN busy b
      ON b.host = c.host AND b.experiment = c.experiment AND b.cell = c.cell
    UNION ALL
    SELECT c.host, c.experiment, c.cell, 0, 'device memory', 'global memory', c.moved / c.median_s / 1e9 / p.gbs
    FROM counted c JOIN peaks p ON p.host = c.host AND p.experiment = c.experiment AND p.cell = c.cell
    UNION ALL
    SELECT host, experiment, cell, 1, unit, family, share FROM pipe WHERE by_model = 1
    UNION ALL
    SELECT p.host, p.experiment, p.cell, 1,
           CASE WHEN c.tensor THEN 'tensor cores' WHEN c.side = 'GPU' AND c.precision = 'f64' THEN 'f64 units'
                WHEN c.precision = 'i32' THEN 'integer multiply units' ELSE 'multiply-add units' END,
           'compute', p.executed_share / 100
    FROM peaks p JOIN ceilings c ON c.rowid = p.of_peak
    UNION ALL
    SELECT p.host, p.experiment, p.cell, 1, iif(r.side = 'GPU', 'device memory', 'memory bandwidth'), 'memory',
           r.gbs / p.gbs
    FROM peaks p JOIN results r ON r.host = p.host AND r.experiment = p.experiment AND r.cell = p.cell
    WHERE r.gbs <= p.gbs),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, cell
                                 ORDER BY by_model, unit = 'idle multiprocessors' AND share >= 0.5 DESC, share DESC)
                AS place
    FROM used WHERE share IS NOT NULL)
SELECT u.host, u.experiment, u.cell, iif(u.share >= 0.5, u.unit, NULL) AS unit, u.unit AS busiest, u.family, u.share,
       u.by_model, w.family AS wait, w.share AS waited,
       iif(u.share >= 0.5 AND u.family <> 'blocks', u.family = w.family, NULL) AS agrees
FROM ranked u LEFT JOIN waits w ON NOT u.by_model AND w.host = u.host AND w.experiment = u.experiment
  AND w.cell = u.cell
WHERE u.place = 1;

-- The limits, and what removes each known one: the next own variant in the order of the registry that computes the
-- same, is faster, and has another known limit. Only two times that may give a verdict decide. Units of one family are
-- one limit. Tensor cores are not, nor are bank conflicts and uncoalesced loads, which a variant can avoid in the same
-- unit. Behind the columns of `limits` stand
--   idea              this variant; NULL: there is none
--   x, x_low, x_high  the time of the cell over that of the variant
--   last              1: all variants with another known limit are slower or as fast; else they may be faster
CREATE VIEW removals AS
WITH known AS MATERIALIZED (SELECT * FROM limits),
bound AS MATERIALIZED (
    SELECT c.host, c.experiment, c.cell, c.task, c.side, c.contract, coalesce(c.threads, 0) AS threads, c.ord, c.idea,
           c.library, c.median_s, c.span, c.flagged, coalesce(c.weak, iif(c.stale, 'stale', NULL)) AS weak, l.unit,
           l.family
    FROM (SELECT * FROM known WHERE unit IS NOT NULL) l CROSS JOIN cells c USING (host, experiment, cell)),
paired AS (
    SELECT a.host, a.experiment, a.cell, b.idea, b.ord, b.median_s, b.ord > a.ord AS later,
           a.median_s / b.median_s AS x, ratio_low(a.span, b.span) AS x_low, ratio_high(a.span, b.span) AS x_high,
           all_flags(a.flagged, b.flagged) AS flagged, coalesce(a.weak, b.weak) AS weak
    FROM bound a
    LEFT JOIN bound b ON b.host = a.host AND b.experiment = a.experiment AND b.task = a.task AND b.side = a.side
      AND b.contract = a.contract AND b.threads = a.threads AND b.library IS NULL AND b.unit <> a.unit
      AND (b.family <> a.family OR b.unit = 'tensor cores' OR a.unit IN ('bank conflicts', 'uncoalesced loads'))),
judged AS (SELECT *, verdict(x, x_low, x_high, weak) AS verdict FROM paired),
ranked AS (
    SELECT *, later AND verdict = 'faster' AS removes,
           min(idea IS NULL OR verdict IN ('slower', 'same')) OVER of AS last,
           row_number() OVER (of ORDER BY later AND verdict = 'faster' DESC, ord, median_s) AS turn
    FROM judged WINDOW of AS (PARTITION BY host, experiment, cell))
SELECT k.*, iif(removes, r.idea, NULL) AS idea, iif(removes, x, NULL) AS x, iif(removes, x_low, NULL) AS x_low,
       iif(removes, x_high, NULL) AS x_high, iif(removes, flagged, NULL) AS flagged, last
FROM known k LEFT JOIN ranked r ON r.host = k.host AND r.experiment = k.experiment AND r.cell = k.cell AND r.turn = 1;
