-- What does a tile gain on the GPU? SPDX-License-Identifier: MIT
-- asks.ru: Что даёт тайл на GPU
-- says: The product with tiles in shared memory (\code{idea}) \speed{} the same loops without a tile, from global
--   memory alone (\code{base})\judged{}\iffact{copied}{; with the copies it is \fact{copied} times as
--   fast}\nofact{copied}{, copies left out} (\fact{precision}, $n = \fact{n}$, tile
--   \fact{tile}\iffact{base_tile}{, blocks of \fact{base_tile} without a tile}).
-- says.ru: Произведение с тайлами в разделяемой памяти (\code{idea}) \speed{} те же циклы без тайла, из одной
--   глобальной памяти (\code{base})\judged{}\iffact{copied}{; вместе с копированием отношение скоростей
--   \fact{copied}}\nofact{copied}{, без учёта копирования} (\fact{precision}, $n = \fact{n}$, тайл
--   \fact{tile}\iffact{base_tile}{, без тайла блоки по \fact{base_tile}}).
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
    FROM found f JOIN study s USING (experiment) WHERE f.turn = 1)
SELECT f.host, f.experiment, f.idea, f.base, f.precision, f.n, f.tile,
       nullif(f.base_tile, f.tile) AS base_tile, f.ratio, f.low, f.high, f.verdict, f.flagged,
       f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower,
       marked(ratio(b.total_s / o.total_s), f.flagged) AS copied
FROM asked f JOIN compared o ON o.host = f.host AND o.experiment = f.experiment AND o.cell = f.cell
JOIN compared b ON b.host = f.host AND b.experiment = f.experiment AND b.cell = f.base_cell
WHERE NOT f.ours OR f.only_ours
ORDER BY f.host_ord, f.x_low IS NULL, NOT f.large, f.weak IS NOT NULL, f.n DESC, f.study_ord;
