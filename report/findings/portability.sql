-- What does it cost to write a kernel once for all devices? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит ядро, написанное один раз для всех устройств
-- says: On the \fact{side}, \code{idea} \speed{} \code{base}\judged{}, the same algorithm in the device's own language
--   (\fact{precision}, $n = \fact{n}$, tile \fact{tile} against \fact{base_tile}).
-- says.ru: На \fact{side} вариант \code{idea} \speed{} \code{base}\judged{}, тот же алгоритм на собственном языке
--   устройства (\fact{precision}, $n = \fact{n}$, тайл \fact{tile} против \fact{base_tile}).
-- rank: 21
-- chapter: matmul
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, side, idea
                                 ORDER BY x_low IS NULL, n DESC, precision, median_s, base_s) AS turn
    FROM versus
    WHERE problem = 'matmul' AND idea IN ('opencl-tiled', 'sycl-tiled') AND side = base_side
      AND base = iif(side = 'GPU', 'cuda-shared', 'omp-tiled'))
SELECT host, experiment, side, idea, base, precision, n, tile, base_tile, ratio, low, high, slower, cost_ratio,
       cost_low, cost_high, verdict, flagged, cost_flagged
FROM found WHERE turn = 1 ORDER BY host_ord, study_ord, side, idea;
