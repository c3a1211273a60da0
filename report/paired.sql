-- The best own variant of each problem, device, type and contract beside the library, on each host: the table `paired`.
-- Products that tensor cores compute from parts of operands (`emulated`) have rows of their own.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
--
-- A variant that rounds its inputs is no best one: its results may have larger errors than those of the library. The
-- library is the one of `library_cells`, on its fastest number of threads. The best variant is the one of the highest
-- rate at sizes from a quarter of the largest on; a rate that only caches can give (`cached`) counts less. Times of
-- different studies are never compared: both sides come from one study, the one with the most libraries, at the largest
-- of these n whose times may give a verdict, or else have an interval, or were measured. Of several such studies, those
-- with the highest optimisation count: of these, one without a flag, then one on a machine whose ceiling is measured,
-- then one with more rounds. All are under the usual conditions.
-- `built`: the optimisation of the own variant, if another study has compiled such a variant with a higher one.
-- `error_share`: the error of a product from parts over the library's `entry_error`.
-- `shown`: the summary has the row. Comparisons that cannot decide are left out if another one of their host can, and
-- those whose variant is no best one, as one of another study takes less than nine tenths of its time.
-- `ceiling`: the rate that `share` refers to, that of the row `of_peak` or `of_read` of the table `ceilings`.
CREATE TEMP TABLE paired AS
WITH every AS (
    SELECT *, coalesce(threads, 1) AS on_threads,
           max(coalesce(opt, '')) OVER (PARTITION BY host, problem, side, precision, contract) AS best_opt
    FROM cells JOIN chosen USING (host, experiment)
    WHERE usual AND counts AND problem NOT IN (SELECT name FROM problems WHERE probe)),
own AS (SELECT * FROM every WHERE NOT vendor AND library IS NULL AND input_roundoff = 0),
pair AS (
    SELECT o.host, o.experiment, o.variant, o.machine, o.problem, o.side, o.precision, o.n, o.contract, o.idea, o.cell,
           o.on_threads, o.by_bytes, o.gflops, o.gbs, o.median_s, o.span, o.flagged, o.emulated, o.error,
           v.cell AS vendor_cell, v.own_contract AS vendor_contract, v.brief AS vendor,
           v.entry_error, v.libraries,
           v.median_s AS vendor_s, v.span AS vendor_span,
           v.flagged AS vendor_flagged, coalesce(o.weak, v.weak) AS weak, nullif(o.opt, o.best_opt) AS built,
           coalesce(o.opt, '') AS opt, coalesce(o.rounds, 0) + coalesce(v.rounds, 0) AS rounds,
           o.ci_lo_s IS NULL OR v.ci_lo_s IS NULL AS single,
           row_number() OVER (PARTITION BY o.host, o.experiment, o.task, o.side, o.contract, o.emulated
                              ORDER BY o.ci_lo_s IS NULL OR v.ci_lo_s IS NULL, o.on_threads DESC,
                                       v.own_contract <> o.contract, o.median_s) AS within
    FROM own o JOIN library_cells v USING (host, experiment, side, task, contract)
    WHERE v.place = 1),
sized AS (
    SELECT p.*, p.by_bytes AND p.gbs > k.gbs AS cached,
           is_large(n, max(n) OVER (PARTITION BY host, problem, side, precision, contract, emulated)) AS large
    FROM pair p LEFT JOIN (SELECT host, experiment, cell, gbs FROM peaks) k USING (host, experiment, cell)
    WHERE within = 1),
led AS (
    SELECT *, first_value(variant) OVER (PARTITION BY host, problem, side, precision, contract, emulated
                                         ORDER BY single, NOT large, cached IS 1,
                                                  iif(by_bytes, gbs, gflops) DESC) AS leader
    FROM sized),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY host, problem, side, precision, contract, emulated
                                 ORDER BY single, variant <> leader, NOT large, libraries DESC,
                                          weak IS NOT NULL, cached IS 1, n DESC, opt DESC, on_threads DESC,
                                          vendor_contract <> contract, doubt(flagged, vendor_flagged),
                                          (SELECT iif(by_bytes, k.of_read, k.of_peak) FROM peaks k
                                           WHERE k.host = led.host AND k.experiment = led.experiment
                                             AND k.cell = led.cell) IS NULL,
                                          rounds DESC, median_s, vendor_s) AS place
    FROM led),
shared AS (
    SELECT p.*, k.of_peak, k.of_read, iif(p.by_bytes, k.gbs, k.gflops) AS ceiling,
           iif(p.by_bytes, iif(p.gbs <= k.gbs, 100 * p.gbs / k.gbs, NULL), k.share) AS share,
           iif(p.by_bytes, NULL, nullif(k.executed_share, k.share)) AS executed_share,
           NOT p.by_bytes AND k.broken <> '' AS broken
    FROM ranked p LEFT JOIN peaks k ON k.host = p.host AND k.experiment = p.experiment AND k.cell = p.cell
    WHERE place = 1)
SELECT s.*, verdict(vendor_span, span, weak) AS verdict,
       (weak IS NULL OR max(weak IS NULL) OVER (PARTITION BY host) = 0)
       AND NOT EXISTS (SELECT 1 FROM own o
                       WHERE (o.host, o.problem, o.side, o.precision, o.contract, o.emulated, o.n)
                             = (s.host, s.problem, s.side, s.precision, s.contract, s.emulated, s.n)
                         AND o.variant <> s.variant AND NOT doubt(o.flagged) AND o.median_s < 0.9 * s.median_s)
       AS shown,
       iif(s.emulated, s.error / s.entry_error, NULL) AS error_share
FROM shared s;
