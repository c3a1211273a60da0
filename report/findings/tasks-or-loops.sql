-- Tasks or parallel loops for a factorisation? SPDX-License-Identifier: MIT
-- asks.ru: Задачи или параллельные циклы для LU-разложения
-- says: \code{idea}, whose tasks wait \when{idea}{omp-depend}{for their data alone}\whennot{idea}{omp-depend}{for each
--   whole step}, \speed{} the parallel loops of \code{base}\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}, each with its best
--   tile\iffact{opt}{, both at \texttt{-\fact{opt}}}: \fact{time} against \fact{base_time})\iffact{plain_ratio}{;
--   \code{plain}, whose tasks wait for each whole step, has \ratio[plain_]{} times the speed of the
--   loops\judged[plain_]}.
-- says.ru: \code{idea}, где задачи ждут \when{idea}{omp-depend}{только своих данных}\whennot{idea}{omp-depend}{каждый
--   шаг целиком}, \speed{} параллельные циклы \code{base}\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{,
--   потоков: \fact{threads}}, у каждого свой лучший тайл\iffact{opt}{,
--   \texttt{-\fact{opt}}}: \fact{time} против \fact{base_time})\iffact{plain_ratio}{; у
--   \code{plain}, где задачи ждут каждый шаг целиком, отношение скоростей — \ratio[plain_]\judged[plain_]}.
-- lacks: Neither \texttt{omp-depend} nor \texttt{omp-tasks} was measured beside \texttt{omp-blocked} in several
--   rounds.
-- lacks.ru: Ни \texttt{omp-depend}, ни \texttt{omp-tasks} не измерены рядом с \texttt{omp-blocked} в нескольких
--   раундах.
-- rank: 17
-- answer: 7
-- evidence: figure gflops-by-n, figure thread-speedup
-- chapter: lu
--
-- `plain`: the tasks that wait for each step, at the point of the others.
-- facts
WITH sized AS (
    SELECT *, is_large(n, max(n) OVER (PARTITION BY host)) AS large FROM versus
    WHERE problem = 'lu' AND idea IN ('omp-tasks', 'omp-depend') AND base = 'omp-blocked' AND threads IS base_threads
      AND widest AND place = 1 AND base_place = 1),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, idea
                                 ORDER BY x_low IS NULL, NOT large, weak IS NOT NULL, n DESC,
                                          coalesce(threads, 0) DESC, precision) AS turn
    FROM sized)
SELECT f.host, f.experiment, f.precision, f.n, f.threads, f.idea, f.base, f.time, f.base_time, f.ratio, f.low, f.high,
       f.verdict, f.flagged, f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower,
       iif(o.opt = b.opt, o.opt, NULL) AS opt, p.idea AS plain, p.ratio AS plain_ratio,
       p.low AS plain_low, p.high AS plain_high, p.verdict AS plain_verdict, p.flagged AS plain_flagged
FROM found f JOIN compared o ON o.host = f.host AND o.experiment = f.experiment AND o.cell = f.cell
JOIN compared b ON b.host = f.host AND b.experiment = f.experiment AND b.cell = f.base_cell
LEFT JOIN versus p ON f.idea = 'omp-depend' AND p.host = f.host AND p.experiment = f.experiment
  AND p.task = f.task AND p.idea = 'omp-tasks' AND p.base = f.base AND p.threads IS f.threads
  AND p.base_threads IS f.threads AND p.place = 1 AND p.base_place = 1
WHERE f.turn = 1
ORDER BY f.host_ord, f.verdict IN ('undecided', 'single'), f.idea <> 'omp-depend', f.n DESC, f.study_ord;
