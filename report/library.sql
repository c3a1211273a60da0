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
--   weak          why the time gives no verdict; also where the library lacks threads
--   lacks_threads another machine of the kind has times of the point's libraries on more threads: one of these may be
--                 the fastest, and two machines make no ratio
--   libraries     how many libraries the study has of the problem, precision and side, those for several GPUs left out.
--                 Of several studies of one comparison, conclusions are drawn from the one with most.
--   entry_error   the largest error of the library at the first place whose entries were compared one by one. The check
--                 of a variant for several GPUs or processes compares sums over rows, in which errors cancel.
--   brief, label, title  the library with its threads as the summary, as tables and as sentences name it:
--                 "openblas × 8", "openblas-syrk × 8", "blas-openblas-syrk × 8"
CREATE VIEW library_cells AS
WITH timed AS MATERIALIZED (SELECT * FROM cells),
asked AS (SELECT DISTINCT host, experiment, task, side, contract AS asked FROM timed),
vendors AS (
    SELECT *, max(threads) OVER (PARTITION BY host, experiment, task, side)
              < max(threads) OVER (PARTITION BY host, experiment, machine_hash, computes, side) IS TRUE
              AS lacks_threads
    FROM timed WHERE vendor),
offers AS (
    SELECT host, experiment, problem, precision, side,
           count(DISTINCT iif(gpus IS NULL AND ranks IS NULL, library, NULL)) AS libraries
    FROM timed WHERE vendor GROUP BY host, experiment, problem, precision, side),
ranked AS (
    SELECT t.*, a.asked, f.libraries,
           row_number() OVER (PARTITION BY t.host, t.experiment, t.task, t.side, a.asked
                              ORDER BY t.contract <> a.asked, t.ci_lo_s IS NULL, t.median_s, t.ord, t.cell) AS place
    FROM asked a JOIN vendors t USING (host, experiment, task, side)
    JOIN offers f USING (host, experiment, problem, precision, side))
SELECT host, experiment, task, side, asked AS contract, contract AS own_contract, place, cell, variant, idea, library,
       problem, precision, n, threads, gpus, median_s, ci_lo_s, ci_hi_s, span, total_s, gflops, gbs, rounds, flagged,
       coalesce(weak, iif(lacks_threads, 'a library on fewer threads than another machine has measured', NULL)) AS weak,
       lacks_threads, counts, libraries,
       first_value(iif(gpus IS NULL AND ranks IS NULL, error, NULL))
         OVER (PARTITION BY host, experiment, task, side, asked
               ORDER BY gpus IS NOT NULL OR ranks IS NOT NULL, place) AS entry_error,
       iif(idea GLOB 'blas-*', coalesce(library, idea), idea) || coalesce(' × ' || threads, '') AS brief,
       idea || coalesce(' × ' || threads, '') AS title,
       iif(idea GLOB 'blas-*', substr(idea, 6), idea) || coalesce(' × ' || threads, '') AS label
FROM ranked;
