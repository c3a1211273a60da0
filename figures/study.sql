-- Makes one study on one host ready for figures and tables. Parameters: :host, :experiment. Run this file before the
-- file of any figure or table. SPDX-License-Identifier: MIT

-- Cells of the study, and of the probes that the runner has added to it (`probe`).
CREATE TEMP TABLE cell AS SELECT * FROM described WHERE host = :host AND experiment = :experiment;

-- Verified cells whose matrices are square. Tables show the other shapes.
CREATE TEMP TABLE good AS SELECT * FROM cells WHERE host = :host AND experiment = :experiment;

-- Whether tables leave rows to the site; empty: no. report/brief.sql fills it.
CREATE TEMP TABLE brief(yes INTEGER);

-- The axes of these cells.
CREATE TEMP TABLE setting AS
SELECT g.cell, g.variant, a.axis, a.role, a.ord, a.text, a.label, a.sort_key
FROM cell_axis a JOIN good g USING (cell)
WHERE a.host = :host AND a.experiment = :experiment
ORDER BY g.cell, a.ord;
CREATE INDEX setting_cell ON setting(cell);

-- What the axes of a cell say of its curve. A name tells the axes that vary within a variant, and the precision and the
-- place (threads) where they vary within the study.
--   family_label, family_key   all axes with a label but the place
--   given_label                of these axes, those that have a value
--   place_label, place_key     the place
--   tuning_label               all tuning axes that have a value
--   other_key                  all axes but the place
CREATE TEMP TABLE named AS
WITH varying AS (
    SELECT variant, axis FROM setting GROUP BY variant, axis HAVING count(DISTINCT coalesce(text, '')) > 1
    UNION
    SELECT variant, axis FROM setting
    WHERE axis IN (SELECT axis FROM setting WHERE axis = 'precision' OR role = 'place'
                   GROUP BY axis HAVING count(DISTINCT text) > 1))
SELECT s.cell,
       coalesce(group_concat(iif(s.role <> 'place' AND v.axis IS NOT NULL, s.label, NULL), ''), '') AS family_label,
       coalesce(group_concat(iif(s.role <> 'place' AND v.axis IS NOT NULL AND s.text IS NOT NULL, s.label, NULL), ''),
                '') AS given_label,
       coalesce(group_concat(iif(s.role = 'place' AND v.axis IS NOT NULL, s.label, NULL), ''), '') AS place_label,
       coalesce(group_concat(iif(s.role = 'tuning' AND s.text IS NOT NULL, s.label, NULL), ''), '') AS tuning_label,
       coalesce(group_concat(iif(s.role <> 'place' AND s.label <> '', s.sort_key, NULL), ' '), '') AS family_key,
       coalesce(group_concat(iif(s.role = 'place', s.sort_key, NULL), ' '), '') AS place_key,
       coalesce(group_concat(iif(s.role <> 'place', s.sort_key, NULL), ' '), '') AS other_key
FROM setting s LEFT JOIN varying v USING (variant, axis)
GROUP BY s.cell;

-- The number of each own variant, from which its style follows. It counts the variants of all records in the order of
-- the registry, those of the CPU alone apart from the others, so that a variant has one style in the whole report.
CREATE TEMP TABLE look AS
SELECT v.name AS variant,
       row_number() OVER (PARTITION BY b.kind = 'CPU' ORDER BY coalesce(k.rowid, 1e9), v.name) - 1 AS number
FROM (SELECT name, min(backend) AS backend, max(style) AS style FROM variants GROUP BY name) v
JOIN backends b ON b.name = v.backend LEFT JOIN known k USING (name)
WHERE coalesce(v.style, k.style, 0) = 0;

-- The curve of each cell. `family`: its name without the threads. Figures over n draw several libraries of the CPU as
-- one curve, of the fastest at each n (`merged`); a cell that is not the fastest is `beaten`.
CREATE TEMP TABLE curves AS
WITH study AS (SELECT count(DISTINCT problem) > 1 AS several FROM good),
earliest AS (SELECT problem, min(ord) AS ord FROM good GROUP BY problem),
ranked AS (
    SELECT g.cell, g.ord,
           iif(study.several, g.variant, g.idea) || iif(g.chaotic, ' (chaotic relaxation)', '')
           || a.family_label AS family,
           a.place_label AS suffix,
           -- In figures/style.gp, libraries have the styles below 10, own variants on the CPU those from 10 on, on
           -- the GPU those from 40 on.
           CASE WHEN g.library_style > 0 THEN g.library_style
                WHEN g.side = 'GPU' THEN 40 + coalesce(l.number, g.ord) % 40
                ELSE 10 + coalesce(l.number, g.ord) % 30 END AS style,
           dense_rank() OVER (PARTITION BY g.variant ORDER BY a.family_key) - 1 AS family_rank,
           dense_rank() OVER (PARTITION BY g.variant ORDER BY a.family_key, a.place_key) - 1 AS rank,
           -- A library's variant that computes both triangles is dashed beside the one that computes one triangle.
           -- Further problems shift the dashes of a library too.
           (g.vendor AND NOT g.halved
              AND EXISTS (SELECT 1 FROM known k WHERE k.vendor AND k.halved AND k.name GLOB g.problem || '/*'))
             + g.vendor * 3 * (dense_rank() OVER (ORDER BY f.ord) - 1) AS shift
    FROM good g JOIN named a USING (cell) JOIN earliest f USING (problem) JOIN study
    LEFT JOIN look l USING (variant)),
blas AS (
    SELECT g.cell, g.task, g.problem, replace(substr(g.idea, 6), g.library, '') AS routine, g.library, a.family_label,
           row_number() OVER (PARTITION BY g.task, replace(substr(g.idea, 6), g.library, '')
                              ORDER BY g.ci_lo_s IS NULL, g.median_s, g.ord, g.cell) AS place
    FROM good g JOIN named a USING (cell)
    WHERE g.vendor AND g.side = 'CPU' AND g.idea GLOB 'blas-' || g.library || '*'),
ranged AS (
    SELECT *, min(library) OVER of_routine < max(library) OVER of_routine AS merged,
           min(routine) OVER of_problem < max(routine) OVER of_problem AS routines
    FROM blas WINDOW of_problem AS (PARTITION BY problem), of_routine AS (PARTITION BY problem, routine)),
called AS (
    SELECT cell, place > 1 AS beaten,
           'fastest BLAS' || iif(several, ', ' || problem, '')
           || iif(routines, iif(several, ' ', ', ') || substr(routine, 2), '') || family_label AS merged
    FROM ranged JOIN study WHERE merged)
SELECT r.*, family || suffix AS curve, rank + shift AS dash,
       -- For figures that leave the threads out.
       family_rank + shift AS family_dash,
       merged, coalesce(beaten, 0) AS beaten, coalesce(merged, family || suffix) AS drawn,
       iif(merged IS NULL, style, min(style) OVER (PARTITION BY merged)) AS drawn_style,
       iif(merged IS NULL, ord, min(ord) OVER (PARTITION BY merged)) AS drawn_ord
FROM ranked r LEFT JOIN called USING (cell);

-- The style of each idea in a figure whose table `point` has the idea, the style and the order of each cell. Variants
-- of one library differ by their shapes: the dash undoes what the style adds to the number of a shape in
-- figures/style.gp, so that no two of five variants have the same one.
CREATE TEMP VIEW idea_style AS
SELECT *, iif(style < 10, (dense_rank() OVER (PARTITION BY style < 10 ORDER BY style, idea) + 19 - style - style / 5)
                          % 5, 0) AS dash
FROM (SELECT idea, min(style) AS style, min(ord) AS ord FROM point GROUP BY idea);

-- Each curve on the most threads that it was measured on: for figures of time and GFLOP/s over n. Fewer threads are for
-- figures of threads.
CREATE TEMP VIEW widest AS
WITH most AS (SELECT c.family, max(g.threads) AS threads FROM good g JOIN curves c USING (cell) GROUP BY c.family)
SELECT g.* FROM good g JOIN curves c USING (cell) JOIN most m ON m.family = c.family AND m.threads IS g.threads;

-- The measured ceilings that may be used, and the ceilings of each cell. report/ceilings.sql explains them.
CREATE TEMP TABLE ceiling AS
SELECT side, problem, precision, threads, isa, tensor, machine, gflops, gbs, flagged FROM ceilings
WHERE host = :host AND machine IN (SELECT machine FROM cell) AND broken IS NULL;

-- `executed_share`: NULL where the variant executes no other operations than the problem needs.
CREATE TEMP TABLE peak AS
SELECT g.cell, p.gflops, p.gbs, p.share, nullif(p.executed_share, p.share) AS executed_share, p.broken
FROM good g JOIN peaks p USING (host, experiment, cell)
WHERE p.of_peak IS NOT NULL OR p.of_read IS NOT NULL;
CREATE INDEX peak_cell ON peak(cell);

-- The times of libraries in the study, on all thread counts. report/library.sql explains them.
CREATE TEMP TABLE offered AS
SELECT * FROM library_cells WHERE host = :host AND experiment = :experiment AND cell IN (SELECT cell FROM good);
CREATE INDEX offered_task ON offered(task, side, contract);

-- The library at its best for each task on each device, and at its best on each number of threads. Beside a library
-- that lacks threads, no ratio is told.
CREATE TEMP VIEW vendor AS SELECT * FROM offered WHERE place = 1 AND NOT lacks_threads;
CREATE TEMP VIEW equal_vendor AS
SELECT *, min(place) AS least FROM offered GROUP BY task, side, contract, threads;

-- The points of figures over n: own variants on their most threads, a library at its best at each n, and of several
-- libraries of the CPU the fastest. The curve of a library with several numbers of threads names none, as they differ
-- from point to point.
CREATE TEMP VIEW drawn_at AS
SELECT w.cell, w.ord, w.n, w.solver, iif(w.vendor AND t.several, c.family, c.curve) AS curve,
       coalesce(b.median_s, w.median_s) AS median_s,
       iif(b.cell IS NULL, w.ci_lo_s, b.ci_lo_s) AS ci_lo_s, iif(b.cell IS NULL, w.ci_hi_s, b.ci_hi_s) AS ci_hi_s,
       iif(b.cell IS NULL, w.span, b.span) AS span,
       coalesce(b.gflops, w.gflops) AS gflops, coalesce(b.gbs, w.gbs) AS gbs, coalesce(b.flagged, w.flagged) AS flagged
FROM widest w JOIN curves c USING (cell)
LEFT JOIN (SELECT *, min(place) AS least FROM offered WHERE own_contract = contract GROUP BY task, side, variant) b
  ON w.vendor AND b.variant = w.variant AND b.task = w.task AND b.side = w.side
LEFT JOIN (SELECT variant, count(DISTINCT threads) > 1 AS several FROM offered GROUP BY variant) t
  ON t.variant = w.variant
WHERE c.merged IS NULL
UNION ALL
SELECT g.cell, g.ord, g.n, g.solver, c.drawn, g.median_s, g.ci_lo_s, g.ci_hi_s, g.span, g.gflops, g.gbs, g.flagged
FROM good g JOIN curves c USING (cell) WHERE c.merged IS NOT NULL AND NOT c.beaten;

-- The sizes beyond the one with the most variants that lack the variant which is the fastest there: what is fastest at
-- such a size tells nothing of the study.
CREATE TEMP VIEW lacking AS
WITH own AS (
    SELECT problem, precision, contract, side, n, variant, median_s FROM good
    WHERE NOT vendor AND library IS NULL AND input_roundoff = 0),
fullest AS (
    SELECT problem, precision, contract, side, n,
           row_number() OVER (PARTITION BY problem, precision, contract, side
                              ORDER BY count(DISTINCT variant) DESC, n DESC) AS turn
    FROM own GROUP BY problem, precision, contract, side, n),
winner AS (
    SELECT problem, precision, contract, side, n, variant, min(median_s) AS least
    FROM own JOIN (SELECT * FROM fullest WHERE turn = 1) USING (problem, precision, contract, side, n)
    GROUP BY problem, precision, contract, side, n)
SELECT f.problem, f.precision, f.contract, f.side, f.n
FROM fullest f JOIN winner w USING (problem, precision, contract, side)
WHERE f.n > w.n AND NOT EXISTS (
    SELECT 1 FROM own o WHERE o.problem = f.problem AND o.precision = f.precision AND o.contract = f.contract
      AND o.side = f.side AND o.n = f.n AND o.variant = w.variant);

-- What captions tell of a study: for each device the fastest own variant that does not round its inputs, beside the
-- library, at the largest n that both have, of the precision that most cells have. A size of `lacking` comes last.
-- `ratio` is the speed of the own variant over that of the library; `type` is the precision if the study has several.
CREATE TEMP VIEW headline AS
WITH own AS (
    SELECT g.*, row_number() OVER (PARTITION BY g.task, g.contract, g.side ORDER BY g.median_s, g.ord) AS place
    FROM good g WHERE NOT g.vendor AND g.library IS NULL AND g.input_roundoff = 0),
pair AS (
    SELECT o.*, v.variant AS its_variant, v.idea AS its_idea, v.median_s AS its_s, v.gflops AS its_gflops,
           v.gbs AS its_gbs, v.flagged AS its_flag, v.threads AS its_threads,
           v.median_s / o.median_s AS x, ratio_low(v.span, o.span) AS x_low, ratio_high(v.span, o.span) AS x_high,
           all_flags(o.flagged, v.flagged) AS either, coalesce(o.weak, v.weak) AS either_weak,
           row_number() OVER (PARTITION BY o.side
                              ORDER BY v.variant IS NULL, NOT o.usual, o.precision <> m.precision,
                                       (o.problem, o.precision, o.contract, o.side, o.n) IN (SELECT * FROM lacking),
                                       o.n DESC, o.median_s, o.ord) AS turn
    FROM own o JOIN (SELECT precision FROM good GROUP BY precision ORDER BY count(*) DESC, precision LIMIT 1) m
    LEFT JOIN vendor v USING (task, side, contract) WHERE o.place = 1)
SELECT p.side, p.precision, p.n, iif(precisions > 1, p.precision, NULL) AS type, iif(several, p.variant, p.idea) AS own,
       iif(several, its_variant, its_idea) || coalesce(' × ' || its_threads, '') AS library,
       marked(si(p.median_s, 's'), p.flagged) AS own_time, marked(si(its_s, 's'), its_flag) AS library_time,
       marked(iif(p.by_bytes, si(1e9 * p.gbs, 'B/s'), si(1e9 * p.gflops, u.unit)), p.flagged) AS own_rate,
       marked(iif(p.by_bytes, si(1e9 * its_gbs, 'B/s'), si(1e9 * its_gflops, u.unit)), its_flag) AS library_rate,
       sig(iif(p.by_bytes, iif(p.gbs <= k.gbs, 100 * p.gbs / k.gbs, NULL), k.share)) AS share,
       iif(p.by_bytes, 'bandwidth', 'peak') AS share_of,
       ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, either_weak) AS verdict, either AS flagged, ratio(1 / x) AS cost_ratio,
       ratio(1 / x_high) AS cost_low, ratio(1 / x_low) AS cost_high, either AS cost_flagged, iif(x < 1, 1, 0) AS slower
FROM pair p
JOIN (SELECT count(DISTINCT problem) > 1 AS several, count(DISTINCT precision) AS precisions FROM good)
LEFT JOIN peak k USING (cell)
JOIN (SELECT 'i32' AS name, 'op/s' AS unit UNION ALL SELECT 'f32', 'FLOP/s' UNION ALL SELECT 'f64', 'FLOP/s') u
  ON u.name = p.precision
WHERE turn = 1 ORDER BY p.side;

-- The study's baseline of each task and contract. It is the fastest row that the experiment's `baseline` matches. Where
-- the baseline has another contract, it is the fastest row of a library of this contract. A study without `baseline`
-- takes the BLAS of the CPU; for i32, which no BLAS has, it takes the fastest variant of all. The times of a library
-- count in the order of `library_cells`.
CREATE TEMP TABLE baseline AS
WITH wanted AS (SELECT baseline AS pattern FROM experiments WHERE host = :host AND name = :experiment),
asked AS (SELECT DISTINCT task, contract FROM good),
candidate AS (
    SELECT a.contract AS asked, g.*, wanted.pattern IS NULL AS free,
           wanted.pattern IS NOT NULL
             AND (g.variant GLOB wanted.pattern OR g.idea GLOB wanted.pattern) AS is_named
    FROM asked a JOIN good g USING (task), wanted),
ranked AS (
    SELECT *, CASE WHEN is_named THEN iif(contract = asked, 1, 3)
                   WHEN vendor AND contract = asked
                     AND EXISTS (SELECT 1 FROM candidate n WHERE n.task = c.task AND n.is_named AND n.side = c.side
                                   AND n.contract <> c.asked) THEN 2
                   WHEN free AND vendor AND side = 'CPU' THEN 4 WHEN free AND precision = 'i32' THEN 5 END AS choice
    FROM candidate c),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY task, asked ORDER BY choice, vendor AND ci_lo_s IS NULL, median_s, ord)
                AS place
    FROM ranked WHERE choice)
SELECT task, asked AS contract, problem, precision, n, variant, idea, side, threads, median_s, ci_lo_s, ci_hi_s, span,
       flagged, weak, idea || iif(vendor, coalesce(' × ' || threads, ''), '') AS title
FROM placed WHERE place = 1;

-- Which curves a figure over n draws in colour, by `drawn`; the others are grey, without a name (`grey`). Up to eight
-- curves, each on its most threads, all have a colour, and `line_dash` tells the tiles of a variant apart. Of more
-- curves each variant and precision keeps the configuration that is fastest at the largest n; at most eight of these
-- have a colour: variants of the reader's own (source `own`) first, then the fastest own variant of each problem,
-- device and precision, products from parts and of rounded inputs apart, then the libraries that are fastest on a
-- device, then the baseline, then the fastest variants of the precision that most cells have. Then `line_dash` tells
-- the precisions of a variant apart, and the libraries of a device.
CREATE TEMP TABLE emphasis AS
WITH ended AS (
    SELECT g.*, c.family, c.drawn AS curve, c.shift, c.family_dash,
           row_number() OVER (PARTITION BY c.drawn ORDER BY g.n DESC, g.median_s) AS from_end,
           c.merged IS NULL
             AND coalesce(g.threads, 0) < max(coalesce(g.threads, 0)) OVER (PARTITION BY c.family) AS narrow
    FROM good g JOIN curves c USING (cell)),
best AS (
    SELECT *, row_number() OVER (PARTITION BY variant, precision ORDER BY narrow, n DESC, median_s, curve) AS place
    FROM ended WHERE from_end = 1),
first AS (
    SELECT *, row_number() OVER (PARTITION BY problem, side, vendor ORDER BY n DESC, median_s, ord) AS vendor_place,
           NOT vendor AND row_number() OVER (PARTITION BY problem, side, precision, contract, vendor, emulated,
                                                          input_roundoff > 0
                                             ORDER BY n DESC, median_s, ord) = 1 AS leads,
           dense_rank() OVER (PARTITION BY variant ORDER BY precision) - 1 + shift AS line_dash
    FROM best WHERE place = 1),
main AS (SELECT precision FROM good GROUP BY precision ORDER BY count(*) DESC, precision DESC LIMIT 1),
named AS (
    SELECT f.curve, f.line_dash,
           row_number() OVER (ORDER BY f.variant NOT IN (SELECT name FROM variants WHERE source = 'own'), NOT f.leads,
                                       f.precision <> m.precision, NOT (f.vendor AND f.vendor_place = 1),
                                       f.variant NOT IN (SELECT variant FROM baseline), f.n DESC, f.median_s, f.ord,
                                       f.curve) AS turn
    FROM first f JOIN main m),
few AS (SELECT curve, family_dash FROM ended WHERE from_end = 1 AND NOT narrow),
enough AS (SELECT count(*) <= 8 AS all_named FROM few)
SELECT c.cell, iif(all_named, f.curve IS NULL, coalesce(n.turn, 9) > 8) AS grey,
       coalesce(iif(all_named, f.family_dash, iif(n.turn <= 8, n.line_dash, 0)), 0) AS line_dash
FROM curves c JOIN enough LEFT JOIN named n ON n.curve = c.drawn LEFT JOIN few f ON f.curve = c.drawn;
CREATE INDEX emphasis_cell ON emphasis(cell);

-- Every cell on several threads beside the cell on one thread that is equal in all other axes.
CREATE TEMP VIEW threaded AS
SELECT g.*, o.median_s AS base_s, o.flagged AS base_flagged, o.rounds AS base_rounds, o.median_s / g.median_s AS gain,
       coalesce(ratio_low(o.span, g.span), o.median_s / g.median_s) AS gain_low,
       coalesce(ratio_high(o.span, g.span), o.median_s / g.median_s) AS gain_high,
       all_flags(g.flagged, o.flagged) AS either_flagged, coalesce(g.weak, o.weak) AS either_weak
FROM good g JOIN named a USING (cell)
JOIN named b USING (other_key)
JOIN good o ON o.cell = b.cell AND o.variant = g.variant AND o.machine = g.machine AND o.threads = 1
WHERE g.threads > 1;

-- The same cells in at most four panels: one panel for each variant and its axes but for the threads. Of a variant two
-- panels at most are shown, those that are fastest at the largest n on the most threads. Up to two threads, two panels
-- suffice.
CREATE TEMP VIEW scaled AS
WITH followed AS MATERIALIZED (SELECT t.*, c.family, c.ord AS curve_ord FROM threaded t JOIN curves c USING (cell)),
ended AS (
    SELECT *, row_number() OVER (PARTITION BY family ORDER BY n DESC, threads DESC, median_s) AS from_end
    FROM followed),
ranked AS (
    SELECT family, curve_ord,
           row_number() OVER (PARTITION BY variant ORDER BY n DESC, threads DESC, median_s, family) AS place
    FROM ended WHERE from_end = 1),
shown AS (
    SELECT family FROM ranked WHERE place <= 2 ORDER BY place, curve_ord, family
    LIMIT iif((SELECT max(threads) FROM followed) > 2, 4, 2))
SELECT *, dense_rank() OVER (ORDER BY curve_ord, tile, family) AS panel FROM followed
WHERE family IN (SELECT family FROM shown);

-- Each time on several GPUs beside the fastest library on one GPU (`one`), of the same task and contract. `place` 1: at
-- the fastest block size. `product_rate`: GFLOP/s of the fastest product on as many GPUs.
CREATE TEMP VIEW several AS
WITH alone AS (
    SELECT *, min(place) AS least FROM offered
    WHERE side = 'GPU' AND coalesce(gpus, 1) = 1 AND own_contract = contract GROUP BY task, contract)
SELECT g.*, o.idea AS one, o.median_s / g.median_s AS x, ratio_low(o.span, g.span) AS x_low,
       ratio_high(o.span, g.span) AS x_high, all_flags(g.flagged, o.flagged) AS either,
       row_number() OVER (PARTITION BY g.variant, g.task, g.gpus ORDER BY g.median_s, g.cell) AS place,
       (SELECT max(p.gflops) FROM good p
        WHERE p.problem = 'matmul' AND p.gpus = g.gpus AND p.precision = g.precision) AS product_rate
FROM good g LEFT JOIN alone o ON o.task = g.task AND o.contract = g.contract
WHERE g.gpus > 1 AND g.problem NOT IN (SELECT name FROM problems WHERE probe);

-- What the counters say of GPU cells. Counts of another version of a kernel than the one measured are left out.
CREATE TEMP VIEW counted AS
SELECT k.*, c.idea, c.ord FROM counters k JOIN cell c USING (host, experiment, cell)
WHERE k.status = 'ok' AND k.source_hash IS c.source_hash AND c.status <> 'withdrawn';

-- The n at which tables show the bank model and the counters. First choice is 1024, which the source has. Otherwise it
-- is the largest n that was counted; if none was counted, the largest n of a GPU cell.
CREATE TEMP VIEW bank_n AS
SELECT coalesce((SELECT max(n) FROM counted WHERE n = 1024), (SELECT max(n) FROM counted),
                (SELECT max(n) FROM cell WHERE side = 'GPU' AND NOT probe AND n = 1024),
                (SELECT max(n) FROM cell WHERE side = 'GPU' AND NOT probe)) AS n;

CREATE TEMP VIEW bank AS
WITH modelled AS MATERIALIZED (
    SELECT cell, ord, idea, precision, n, k, tile, padding, known_model(variant, settings) AS model
    FROM cell JOIN bank_n USING (n) WHERE side = 'GPU' AND NOT probe)
SELECT * FROM modelled WHERE model IS NOT NULL;

-- The frontier: at each point of a study and on each number of threads the fastest own variant, beside the library at
-- its best on at most as many threads. A library's variant that own variants are not compared with (`library` without
-- `vendor`) is neither.
CREATE TEMP VIEW fastest AS
SELECT *, row_number() OVER (PARTITION BY task, side, contract, threads ORDER BY median_s, ord) AS place
FROM good WHERE unit = 'fma' AND NOT vendor AND library IS NULL;

CREATE TEMP VIEW within_threads AS
SELECT o.cell AS own_cell, v.*, row_number() OVER (PARTITION BY o.cell, v.library ORDER BY v.place) AS of_library
FROM fastest o JOIN offered v USING (task, side, contract)
WHERE o.place = 1 AND v.own_contract = v.contract AND iif(o.threads IS NULL, v.threads IS NULL, v.threads <= o.threads);

-- `x`: the library's time over the own variant's, with the interval of every other ratio of the report. `equal_*`: the
-- same on equal threads, where the library is at its best on fewer. `clean_x`: `x` of the rounds without a flag, where
-- both sides have one.
CREATE TEMP VIEW frontier AS
WITH pair AS MATERIALIZED (
    SELECT o.task, o.contract, o.problem, o.side, o.precision, o.threads, o.n,
           o.cell AS own_cell, o.idea AS own, o.gflops AS own_rate, o.flagged AS own_flagged,
           v.cell AS vendor_cell, v.label AS vendor, v.flagged AS vendor_flagged,
           coalesce(o.weak, v.weak) AS weak,
           v.median_s / o.median_s AS x, ratio_low(v.span, o.span) AS x_low, ratio_high(v.span, o.span) AS x_high,
           e.median_s / o.median_s AS equal_x, ratio_low(e.span, o.span) AS equal_low,
           ratio_high(e.span, o.span) AS equal_high,
           e.flagged AS equal_flagged
    FROM fastest o
    JOIN (SELECT *, min(place) AS least FROM within_threads GROUP BY own_cell) v ON v.own_cell = o.cell
    LEFT JOIN equal_vendor e ON e.task = o.task AND e.side = o.side AND e.contract = o.contract
      AND e.threads IS o.threads AND e.threads IS NOT v.threads AND e.own_contract = o.contract
    WHERE o.place = 1),
round_s AS (
    SELECT s.cell, s.round, median(s.kernel_s) AS s, max(coalesce(s.flags, '') NOT IN ('', 'capped')) AS flagged
    FROM samples s JOIN cell c USING (host, experiment, cell)
    WHERE s.kernel_s IS NOT NULL AND s.cell IN (SELECT own_cell FROM pair UNION SELECT vendor_cell FROM pair)
    GROUP BY s.cell, s.round),
clean AS MATERIALIZED (
    SELECT cell, sum(NOT flagged) AS rounds, sum(flagged) AS others, median(iif(flagged, NULL, s)) AS s
    FROM round_s GROUP BY cell)
SELECT p.*, o.others + v.others AS flagged_rounds, min(o.rounds, v.rounds) AS clean_rounds, v.s / o.s AS clean_x
FROM pair p LEFT JOIN clean o ON o.cell = p.own_cell LEFT JOIN clean v ON v.cell = p.vendor_cell;

-- Sweeps of the solvers whose runs were counted, until convergence.
CREATE TEMP VIEW solved AS
SELECT g.*, s.runs, s.least, s.middle, s.most FROM good g JOIN solves s USING (host, experiment, cell)
WHERE s.runs > 0 AND g.omega = 1;

-- Jacobi's sweeps on the host.
CREATE TEMP VIEW jacobi_here AS SELECT * FROM jacobi_sweeps WHERE host = (SELECT host FROM cell);
