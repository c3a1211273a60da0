-- The best own variant beside every library present, for each problem, precision and thread count.
-- SPDX-License-Identifier: MIT
-- takes: operations library
-- caption: The own variant beside the library on at most as many threads, at the largest $n$\each{. \hostbrief{}:
--   faster in \fact{faster} of \fact{count}, slower in \fact{slower}, the same in \fact{same}, undecided in
--   \fact{undecided}\iffact{single}{, of one run in \fact{single}}}
-- caption.ru: Свой вариант и библиотека на стольких же потоках или меньше, при наибольшем $n$\each{. \hostbrief{}: из
--   \fact{count} быстрее \fact{faster}, медленнее \fact{slower}, наравне \fact{same}, вывода нет
--   \fact{undecided}\iffact{single}{, по одному запуску \fact{single}}}
--
CREATE TEMP TABLE largest AS
WITH point AS MATERIALIZED (SELECT * FROM frontier)
SELECT * FROM point f WHERE f.n = (SELECT max(n) FROM point o WHERE o.problem = f.problem
                                     AND o.precision = f.precision AND o.threads IS f.threads);

-- group
-- align: lrLrrrrrrLrl
WITH library AS (
    SELECT w.own_cell, max(iif(library = 'openblas', rate, NULL)) AS openblas,
           max(iif(library = 'openblas-pypi', rate, NULL)) AS openblas_pypi,
           max(iif(library = 'blis', rate, NULL)) AS blis, max(iif(library = 'mkl', rate, NULL)) AS mkl
    FROM (SELECT w.own_cell, w.library, sig(w.gflops) || iif(w.threads = o.threads, '', ' × ' || w.threads) AS rate
          FROM within_threads w JOIN good o ON o.cell = w.own_cell WHERE w.of_library = 1) w
    GROUP BY w.own_cell)
SELECT f.problem || ' ' || f.precision || coalesce(' × ' || f.threads, '') AS "Problem",
       f.n AS "n", f.own AS "Best own",
       marked(sig(f.own_rate), f.own_flagged) AS "GFLOP/s",
       l.openblas AS "OpenBLAS", l.openblas_pypi AS "OpenBLAS (PyPI)", l.blis AS "BLIS", l.mkl AS "MKL",
       marked(ratio(f.x, f.x_low, f.x_high), f.own_flagged, f.vendor_flagged) AS "Own/library",
       marked(ratio(f.equal_x, f.equal_low, f.equal_high), f.own_flagged, f.equal_flagged) AS "Equal threads",
       iif(max(f.flagged_rounds) OVER () > 0,
           CASE WHEN coalesce(f.flagged_rounds, 0) = 0 THEN 'all' WHEN f.clean_rounds = 0 THEN 'none left'
                ELSE ratio(f.clean_x) END, NULL) AS "Unflagged",
       replace(verdict(f.x, f.x_low, f.x_high, f.weak), 'single', 'one run') AS "Verdict"
FROM largest f LEFT JOIN library l USING (own_cell)
ORDER BY f.problem DESC, f.precision, f.threads, f.n;

-- facts
SELECT :host AS host, count(*) AS count,
       sum(verdict = 'faster') AS faster, sum(verdict = 'slower') AS slower,
       sum(verdict = 'same') AS same, sum(verdict = 'undecided') AS undecided,
       nullif(sum(verdict = 'single'), 0) AS single
FROM (SELECT verdict(x, x_low, x_high, weak) AS verdict FROM largest)
HAVING count(*) > 0;
