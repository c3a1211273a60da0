-- What does a read-modify-write of global memory in each step cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит чтение-изменение-запись глобальной памяти на каждом шаге
-- says: A sum in a register \speed{} a sum in global memory\judged{} (\fact{precision}, $n = \fact{n}$: \fact{time}
--   against \fact{base_time}). The source's step from its naive to its base kernel measures this and nothing else.
-- says.ru: Сумма в регистре \speed{} сумма в глобальной памяти\judged{} (\fact{precision}, $n = \fact{n}$:
--   \fact{time} против \fact{base_time}). Переход источника от наивного ядра к базовому измеряет именно это.
-- rank: 21
-- chapter: matmul
-- facts
WITH found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM versus
    WHERE problem = 'matmul' AND idea = 'cuda-global' AND base = 'cuda-global-rmw' AND place = 1 AND base_place = 1)
SELECT host, experiment, idea, base, precision, n, ratio, low, high, verdict, flagged, cost_ratio, cost_low,
       cost_high, cost_flagged, slower, time, base_time
FROM found WHERE turn = 1 ORDER BY host_ord, x_low IS NULL, n DESC, study_ord;
