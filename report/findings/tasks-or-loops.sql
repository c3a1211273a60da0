-- Tasks or parallel loops for a factorisation? SPDX-License-Identifier: MIT
-- asks.ru: Задачи или параллельные циклы для LU-разложения
-- says: \code{idea} \speed{} the parallel loops of \code{base}\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}).
-- says.ru: \code{idea} \speed{} параллельные циклы \code{base}\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, потоков: \fact{threads}}).
-- rank: 17
-- chapter: lu
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, idea
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision) AS turn
    FROM versus
    WHERE problem = 'lu' AND idea IN ('omp-tasks', 'omp-depend') AND base = 'omp-blocked' AND threads IS base_threads
      AND widest AND place = 1 AND base_place = 1)
SELECT host, experiment, precision, n, threads, idea, base, ratio, low, high, verdict, flagged, cost_ratio, cost_low,
       cost_high, cost_flagged, slower
FROM found WHERE turn = 1 ORDER BY host_ord, verdict IN ('undecided', 'single'), idea DESC, n DESC, study_ord;
