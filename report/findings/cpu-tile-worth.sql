-- What does a tile gain on the CPU? SPDX-License-Identifier: MIT
-- asks.ru: Что даёт тайл на процессоре
-- says: The program of the loops \fact{loops} with the best tile (\code{idea}, tile \fact{tile}) \speed{} the program
--   of the same loops without a tile (\code{base}\iffact{opt}{, both at \texttt{-\fact{opt}}})\judged{}
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{,
--   \fact{threads}~\plural{threads}{thread}{threads}}\nofact{threads}{, one thread})\iffact{most_ratio}{; at $n =
--   \fact{most_n}$ tile \fact{most_tile} is \ratio[most_]{times as fast}\judged[most_]}.
-- says.ru: Программа из циклов \fact{loops} с лучшим тайлом (\code{idea}, тайл \fact{tile}) \speed{} программа из тех
--   же циклов без тайла (\code{base}\iffact{opt}{, обе с \texttt{-\fact{opt}}})\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, потоков: \fact{threads}}\nofact{threads}{, один поток})\iffact{most_ratio}{; при $n =
--   \fact{most_n}$ отношение скоростей (тайл \fact{most_tile}) — \ratio[most_]\judged[most_]}.
-- lacks: No CPU ran a product with tiles beside the same loops without a tile in several rounds.
-- lacks.ru: Ни на одном процессоре нет произведения с тайлами и тех же циклов без тайла в нескольких раундах.
-- rank: 24
-- answer: 2
-- evidence: table granular-231, table best
-- chapter: matmul
--
-- The base of a gain has the same loops, threads and level of optimisation. Of the rows that may give a verdict, the
-- first is of the loops ijk at -O2, with which the sources begin.
-- facts
WITH tiled AS (
    SELECT *, iif(base GLOB '*-ijk', 'ijk', 'ikj') AS loops, idea <> 'seq-tiled-ijk' OR opt IS NOT 'O2' AS later,
           is_large(n, max(n) OVER (PARTITION BY host, experiment, idea)) AS large
    FROM versus
    WHERE problem = 'matmul' AND side = 'CPU' AND threads IS base_threads AND opt IS base_opt AND place = 1
      AND base_place = 1
      AND (idea IN ('omp-tiled', 'omp-tiled-local', 'omp-tiled-collapse') AND base = 'omp-ikj'
           OR idea = 'seq-tiled' AND base = 'seq-ikj' OR idea = 'seq-tiled-ijk' AND base = 'seq-ijk')),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY later, x_low IS NULL, NOT large, weak IS NOT NULL, n DESC,
                                          coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM tiled),
-- The same variants at the largest n, where a single run may be all there is.
largest AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, idea, precision, coalesce(threads, 0)
                                 ORDER BY n DESC, x_low IS NULL, x DESC) AS turn
    FROM tiled)
SELECT f.host, f.experiment, f.loops, f.opt, f.precision, f.n, f.threads, f.tile, f.idea, f.base, f.ratio, f.low,
       f.high, f.verdict, f.flagged, f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower, l.n AS most_n,
       l.tile AS most_tile, l.ratio AS most_ratio, l.low AS most_low, l.high AS most_high, l.flagged AS most_flagged,
       l.verdict AS most_verdict
FROM found f LEFT JOIN largest l ON l.turn = 1 AND l.host = f.host AND l.experiment = f.experiment AND l.idea = f.idea
  AND l.precision = f.precision AND l.threads IS f.threads AND l.n > f.n
WHERE f.turn = 1 ORDER BY f.host_ord, f.x_low IS NULL, f.weak IS NOT NULL, f.later, f.n DESC, f.study_ord;
