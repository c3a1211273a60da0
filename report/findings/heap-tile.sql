-- What does a tile on the device heap cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит тайл в куче устройства
-- says: Tiles on the device heap, where the source's kernel as printed keeps them, take \ratio[cost_]{times the time}
--   of tiles in shared memory\judged{} (\fact{precision}, $n = \fact{n}$, tile \fact{tile}: \fact{time} against
--   \fact{base_time}).
-- says.ru: Время с тайлами в куче устройства, где их держит ядро из источника, относительно тайлов в разделяемой
--   памяти — \ratio[cost_]\judged{} (\fact{precision}, $n = \fact{n}$, тайл \fact{tile}: \fact{time} против
--   \fact{base_time}).
-- rank: 22
-- chapter: matmul
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, n DESC, tile DESC, precision) AS turn
    FROM versus
    WHERE problem = 'matmul' AND idea = 'cuda-heap-tile' AND base = 'cuda-shared' AND tile = base_tile)
SELECT host, experiment, idea, base, precision, n, tile, ratio, low, high, flagged, cost_ratio, cost_low, cost_high,
       cost_flagged, verdict, time, base_time
FROM found WHERE turn = 1 ORDER BY host_ord, x_low IS NULL, n DESC, study_ord;
