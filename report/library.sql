-- The library at its best: the view `library_cells`, from which every comparison with a library takes the library's
-- time. The program makes the view whenever it has loaded results, so that tables, figures, findings, README and
-- summary all hold a variant against the same time. SPDX-License-Identifier: MIT

-- The verified times of libraries at each point: a study, a host, a `task` and the `side` that it ran on. A library may
-- be faster on fewer threads, so the cells of a point are those on all thread counts.
--   contract      how the own variants beside the library choose their pivots: a row for each contract at the point
--   own_contract  how the library chooses its own
--   place         1: the time that counts. A library of the contract asked for comes before others, a time that can
--                 decide before one of a single run, then the fastest. Where a row of a table is about few threads, the
--                 least place on at most as many threads counts.
--   brief, label, title  the library with its threads as the summary, as tables and as sentences name it:
--                 "openblas × 8", "openblas-syrk × 8", "blas-openblas-syrk × 8"
CREATE VIEW library_cells AS
WITH described AS (
    SELECT host, experiment, name, coalesce(max(pivoting), 'none') AS contract, min(ord) AS ord, max(library) AS library
    FROM variants GROUP BY host, experiment, name),
timed AS MATERIALIZED (
    SELECT r.*, coalesce(d.contract, 'none') AS own_contract, coalesce(d.ord, 0) AS ord,
           nullif(coalesce(d.library, k.library, ''), '') AS library
    FROM results r LEFT JOIN known k ON k.name = r.variant
    LEFT JOIN described d ON d.host = r.host AND d.experiment = r.experiment AND d.name = r.variant
    WHERE r.status = 'ok' AND NOT r.probe),
asked AS (SELECT DISTINCT host, experiment, task, side, own_contract AS contract FROM timed),
ranked AS (
    SELECT t.*, a.contract,
           row_number() OVER (PARTITION BY t.host, t.experiment, t.task, t.side, a.contract
                              ORDER BY t.own_contract <> a.contract, t.ci_lo_s IS NULL, t.median_s, t.ord, t.cell)
             AS place
    FROM asked a JOIN timed t USING (host, experiment, task, side) WHERE t.vendor)
SELECT host, experiment, task, side, contract, own_contract, place, cell, variant, idea, library, problem, precision, n,
       threads, gpus, median_s, ci_lo_s, ci_hi_s, total_s, gflops, gbs, rounds, flagged, weak,
       iif(idea GLOB 'blas-*', coalesce(library, idea), idea) || coalesce(' × ' || threads, '') AS brief,
       idea || coalesce(' × ' || threads, '') AS title,
       iif(idea GLOB 'blas-*', substr(idea, 6), idea) || coalesce(' × ' || threads, '') AS label
FROM ranked;
