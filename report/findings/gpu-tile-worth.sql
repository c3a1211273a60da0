-- What does a tile gain on the GPU? SPDX-License-Identifier: MIT
-- asks.ru: Что даёт тайл на GPU
-- says: The product with tiles in shared memory (\code{idea}) \speed{} the same loops without a tile, from global
--   memory alone (\code{base})\judged{}, \fact{time} against \fact{base_time}\iffact{copied_ratio}{; with the copies it
--   is \ratio[copied_]{times as fast}\judged[copied_]}\nofact{copied_ratio}{, copies left out} (\fact{precision}, $n =
--   \fact{n}$, tile \fact{tile}\iffact{base_tile}{, blocks of \fact{base_tile} without a tile}).
-- says.ru: Произведение с тайлами в разделяемой памяти (\code{idea}) \speed{} те же циклы без тайла, только из
--   глобальной памяти (\code{base})\judged{}, \fact{time} против \fact{base_time}\iffact{copied_ratio}{; с учётом
--   копирования отношение скоростей — \ratio[copied_]\judged[copied_]}\nofact{copied_ratio}{, без учёта копирования}
--   (\fact{precision}, $n = \fact{n}$, тайл \fact{tile}\iffact{base_tile}{, без тайла блоки по \fact{base_tile}}).
-- lacks: No GPU ran the product with and without tiles at one size in several rounds.
-- lacks.ru: Ни на одном GPU нет произведения с тайлами и без них при одном размере в нескольких раундах.
-- rank: 4
-- answer: 3
-- evidence: table granular-231, table lab5-1, figure gflops-by-n
-- chapter: matmul
-- The project's own studies repeat what those of the sources ask: they tell it where these do not.
-- facts
WITH sized AS (
    SELECT *, is_large(n, max(n) OVER (PARTITION BY host)) AS large FROM versus
    WHERE problem = 'matmul' AND idea = 'cuda-shared' AND base = 'cuda-global' AND place = 1 AND base_place = 1),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY x_low IS NULL, NOT large, weak IS NOT NULL, n DESC,
                                          coalesce(threads, 0) DESC, precision, x DESC) AS turn
    FROM sized),
asked AS (
    SELECT f.*, s.source = 'tilelab' AS ours, min(s.source = 'tilelab') OVER (PARTITION BY host) AS only_ours
    FROM found f JOIN study s USING (experiment) WHERE f.turn = 1),
copied AS (
    SELECT f.*, iif(c.total_s > 0, b.end_s / o.end_s, NULL) AS copied, ratio_low(b.whole, o.whole) AS copied_low,
           ratio_high(b.whole, o.whole) AS copied_high
    FROM asked f JOIN cells c USING (host, experiment, cell) JOIN totals o USING (host, experiment, cell)
    JOIN totals b ON b.host = f.host AND b.experiment = f.experiment AND b.cell = f.base_cell)
SELECT host, experiment, idea, base, precision, n, tile, nullif(base_tile, tile) AS base_tile, time, base_time,
       ratio, low, high, verdict, flagged, cost_ratio, cost_low, cost_high, cost_flagged, slower,
       ratio(copied) AS copied_ratio, ratio(copied_low) AS copied_low, ratio(copied_high) AS copied_high,
       verdict(copied, copied_low, copied_high, weak) AS copied_verdict, flagged AS copied_flagged
FROM copied WHERE NOT ours OR only_ours
ORDER BY host_ord, x_low IS NULL, NOT large, weak IS NOT NULL, n DESC, study_ord;
