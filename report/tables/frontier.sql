-- The best own variant beside every library present, for each problem, precision and thread count.
-- SPDX-License-Identifier: MIT
-- caption: The own variant beside the library at the largest $n$.\each{ \hostbrief{}: faster in \fact{faster} of
--   \fact{count} ratios, slower in \fact{slower}, the same in \fact{same}, undecided in \fact{undecided}.} Ratios are
--   medians and ranges over the rounds, \emph{unflagged} those without flagged rounds
-- caption.ru: Собственный вариант и библиотека при наибольшем $n$.\each{ \hostbrief{}: быстрее в \fact{faster} из
--   \fact{count} отношений, медленнее в \fact{slower}, наравне в \fact{same}, неясны \fact{undecided}.} Отношения —
--   медианы и размах по раундам, \emph{без пометок} — без раундов с пометкой
--
-- group
-- align: lrlrrrrlll
WITH library AS (
    SELECT task, side, contract, threads,
           max(iif(library = 'openblas', gflops, NULL)) AS openblas,
           max(iif(library = 'blis', gflops, NULL)) AS blis,
           max(iif(library = 'mkl', gflops, NULL)) AS mkl
    FROM good WHERE vendor GROUP BY task, side, contract, threads),
point AS MATERIALIZED (SELECT * FROM frontier)
SELECT f.problem || ' ' || f.precision || coalesce(', ' || f.threads || ' thr.', '') AS "Problem", f.n AS "n",
       f.own AS "Best own", sig(f.own_gflops, 3) AS "GFLOP/s",
       sig(l.openblas, 3) AS "OpenBLAS", sig(l.blis, 3) AS "BLIS", sig(l.mkl, 3) AS "MKL",
       sig(f.share, 3) || ' [' || sig(f.low, 3) || ', ' || sig(f.high, 3) || ']' AS "Own/library",
       CASE WHEN f.clean_rounds = f.rounds THEN 'all' WHEN f.clean_rounds = 0 THEN 'none left'
            WHEN f.clean_rounds = 1 THEN sig(f.clean_share, 3) || ' (one)'
            ELSE sig(f.clean_share, 3) || ' [' || sig(f.clean_low, 3) || ', ' || sig(f.clean_high, 3) || ']'
            END AS "Unflagged",
       CASE WHEN f.rounds < 2 THEN 'one round'
            WHEN f.low >= 0.98 AND f.high <= 1.02 THEN 'same'
            WHEN f.low > 1 AND f.share > 1.02 THEN 'faster'
            WHEN f.high < 1 AND f.share < 0.98 THEN 'slower' ELSE 'undecided' END AS "Verdict"
FROM point f LEFT JOIN library l ON l.task = f.task AND l.side = f.side AND l.contract = f.contract
  AND l.threads IS f.threads
WHERE f.n = (SELECT max(n) FROM point o WHERE o.problem = f.problem AND o.precision = f.precision
               AND o.threads IS f.threads)
ORDER BY f.problem DESC, f.precision, f.threads, f.n;

-- facts
SELECT :host AS host, count(*) AS count, sum(verdict = 'faster') AS faster, sum(verdict = 'slower') AS slower,
       sum(verdict = 'same') AS same, sum(verdict IN ('undecided', 'single')) AS undecided
FROM (SELECT verdict(share, iif(rounds > 1, low, NULL), iif(rounds > 1, high, NULL)) AS verdict FROM frontier f
      WHERE n = (SELECT max(n) FROM frontier o
                 WHERE o.problem = f.problem AND o.precision = f.precision AND o.threads IS f.threads))
HAVING count(*) > 0;
