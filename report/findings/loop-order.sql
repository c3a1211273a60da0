-- Which order of the loops is right? SPDX-License-Identifier: MIT
-- asks.ru: Какой порядок циклов лучше
-- says: The inner loop along rows (\code{idea}) \speed{} the inner loop down columns (\code{base})\judged{}
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}).
-- says.ru: Внутренний цикл вдоль строк (\code{idea}) \speed{} цикл по столбцам (\code{base})\judged{}
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков: \fact{threads}}).
-- rank: 14
-- chapter: matmul
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM versus
    WHERE problem = 'matmul' AND (idea = 'seq-ikj' AND base = 'seq-ijk' OR idea = 'omp-ikj' AND base = 'omp-ijk')
      AND threads IS base_threads AND place = 1 AND base_place = 1)
SELECT host, experiment, precision, n, threads, idea, base, ratio, low, high, verdict, flagged, cost_ratio, cost_low,
       cost_high, cost_flagged, slower
FROM found WHERE turn = 1 ORDER BY host_ord, x_low IS NULL, n DESC, study_ord;
