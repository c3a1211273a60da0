-- Is the cache tile worth it on a CPU? SPDX-License-Identifier: MIT
-- asks.ru: Окупается ли на процессоре тайл для кэша
-- says: The best tile (\code{idea}, tile \fact{tile}) \speed{} no tile (\code{base})\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}).
-- says.ru: Лучший тайл (\code{idea}, тайл \fact{tile}) \speed{} вариант без тайла (\code{base})\judged{}
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков: \fact{threads}}).
-- rank: 24
-- chapter: matmul
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM versus
    WHERE problem = 'matmul' AND side = 'CPU' AND threads IS base_threads AND place = 1 AND base_place = 1
      AND (idea IN ('omp-tiled', 'omp-tiled-local', 'omp-tiled-collapse') AND base = 'omp-ikj'
           OR idea = 'seq-tiled' AND base = 'seq-ikj' OR idea = 'seq-tiled-ijk' AND base = 'seq-ijk'))
SELECT host, experiment, precision, n, threads, tile, idea, base, ratio, low, high, verdict, flagged, cost_ratio,
       cost_low,
       cost_high, cost_flagged, slower
FROM found WHERE turn = 1 ORDER BY host_ord, x_low IS NULL, n DESC, study_ord;
