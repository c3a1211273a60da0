-- Is half of the work half of the time? SPDX-License-Identifier: MIT
-- asks.ru: Вдвое меньше работы — вдвое меньше времени
-- says: One triangle of $AA^T$ (\code{idea}) \speed{} both triangles (\code{base})\judged{} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}), for \fact{work}\,\% of the
--   operations.
-- says.ru: Вычисление одного треугольника $AA^T$ (\code{idea}) \speed{} двух (\code{base})\judged{} (\fact{precision},
--   $n = \fact{n}$\iffact{threads}{, потоков: \fact{threads}}), при \fact{work}\,\% операций.
-- rank: 19
-- chapter: aat
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, idea
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision) AS turn
    FROM versus
    WHERE problem = 'aat' AND halved AND NOT base_halved AND side = base_side AND threads IS base_threads
      AND (idea = 'cuda-sym' AND base = 'cuda-b-pad' AND base_padding = 1 AND tile = base_tile
           OR vendor AND base_vendor AND library = base_library)
      AND place = 1)
SELECT host, experiment, precision, n, threads, idea, base, ratio, low, high, verdict, flagged, cost_ratio, cost_low,
       cost_high, cost_flagged, slower,
       sig(50 * (n + 1.0) / n, 3) AS work
FROM found WHERE turn = 1 ORDER BY host_ord, x_low IS NULL, vendor, side DESC, n DESC, study_ord;
