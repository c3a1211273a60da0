-- The cells from which findings and notes draw conclusions, and the ratios of their times. SPDX-License-Identifier: MIT
-- needs: chosen.sql hostnames.sql

-- The verified cells of the studies that the report shows, under all conditions.
--   place     1: the fastest of its variant on as many threads, over all tiles and builds
--   widest    1: on the most threads that its variant was measured on
CREATE TEMP TABLE shown_cell AS
SELECT c.*, a.ord AS host_ord, s.study_ord,
       row_number() OVER (PARTITION BY c.host, c.experiment, c.variant, c.task, coalesce(c.threads, 0)
                          ORDER BY c.median_s, c.cell) AS place,
       coalesce(c.threads, 0) = max(coalesce(c.threads, 0)) OVER (PARTITION BY c.host, c.experiment, c.variant, c.task)
         AS widest
FROM cells c JOIN chosen USING (host, experiment) JOIN about a USING (host) JOIN study s USING (experiment)
WHERE c.counts AND c.problem NOT IN (SELECT name FROM problems WHERE probe);

-- The cells under the usual conditions. Only findings on a condition use the others.
CREATE TEMP TABLE compared AS SELECT * FROM shown_cell WHERE usual;
CREATE INDEX compared_task ON compared(host, experiment, task, idea);

-- Two cells of one task in one study. `ratio` is the time of the base over the time of the cell: it is above 1 where
-- the cell is faster. `x` is the number of which `ratio` is the text. `cost_*` is the inverse.
CREATE TEMP VIEW versus AS
SELECT *, ratio(x) AS ratio, ratio(x_low) AS low,
       ratio(x_high) AS high, verdict(x, x_low, x_high, weak) AS verdict,
       ratio(1 / x) AS cost_ratio, ratio(1 / x_high) AS cost_low,
       ratio(1 / x_low) AS cost_high, flagged AS cost_flagged, iif(x < 1, 1, 0) AS slower
FROM (SELECT a.host, a.host_ord, a.experiment, a.study_ord, a.problem, a.task, a.side, a.precision, a.n, a.omega,
             a.sweeps, a.cell, a.idea, a.variant, a.opt, a.threads, a.tile, a.padding, a.contract, a.library, a.vendor,
             a.halved, a.chaotic, a.emulated, a.place, a.widest, a.settings, a.iterations, a.gflops, a.median_s,
             marked(si(a.median_s, 's'), a.flagged) AS time,
             b.cell AS base_cell, b.idea AS base, b.variant AS base_variant, b.opt AS base_opt,
             b.threads AS base_threads,
             b.tile AS base_tile, b.padding AS base_padding, b.contract AS base_contract, b.library AS base_library,
             b.vendor AS base_vendor, b.halved AS base_halved, b.place AS base_place, b.settings AS base_settings,
             b.gflops AS base_gflops, b.side AS base_side,
             coalesce(a.rounds, 0) + coalesce(b.rounds, 0) AS rounds,
             b.median_s AS base_s, marked(si(b.median_s, 's'), b.flagged) AS base_time,
             b.median_s / a.median_s AS x, ratio_low(b.span, a.span) AS x_low, ratio_high(b.span, a.span) AS x_high,
             a.flagged AS own_flagged, b.flagged AS base_flagged, all_flags(a.flagged, b.flagged) AS flagged,
             coalesce(a.weak, b.weak) AS weak
      FROM compared a JOIN compared b USING (host, experiment, task));
