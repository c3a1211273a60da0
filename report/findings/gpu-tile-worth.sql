-- Is the tile in shared memory worth it on a GPU? SPDX-License-Identifier: MIT
-- asks.ru: Окупается ли на GPU тайл в разделяемой памяти
-- says: The product with tiles in shared memory \speed{} the product from global memory alone\judged{}, copies left
--   out (\fact{precision}, $n = \fact{n}$, tile \fact{tile}).
-- says.ru: Произведение с тайлами в разделяемой памяти \speed{} из одной глобальной памяти\judged{}, без учёта
--   копирования (\fact{precision}, $n = \fact{n}$, тайл \fact{tile}).
-- rank: 4
-- chapter: matmul
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM versus
    WHERE problem = 'matmul' AND idea = 'cuda-shared' AND base = 'cuda-global' AND place = 1 AND base_place = 1)
SELECT host, experiment, idea, base, precision, n, tile, ratio, low, high, verdict, flagged, cost_ratio, cost_low,
       cost_high, cost_flagged, slower
FROM found WHERE turn = 1 ORDER BY host_ord, x_low IS NULL, n DESC, study_ord;
