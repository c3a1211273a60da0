-- How far does the last rung on CUDA cores come? SPDX-License-Identifier: MIT
-- asks.ru: Как далеко доходит последняя ступень на ядрах CUDA
-- says: From \code{first} to \code{idea} the ladder makes the product \ratio[gain_]{times as fast}; \code{idea}
--   \speed{} \code{base}\judged{} (\fact{precision}, $n = \fact{n}$).
-- says.ru: От \code{first} до \code{idea} лестница ускоряет произведение в
--   \ratio[gain_]{\forms{gain_ratio}{раз}{раза}{раз}}; \code{idea} \speed{} \code{base}\judged{} (\fact{precision}, $n
--   = \fact{n}$).
-- rank: 13
-- chapter: matmul
--
-- The study that shows all rungs tells it first.
-- facts
WITH found AS (
    SELECT v.*, row_number() OVER (PARTITION BY v.host, v.experiment, v.precision
                                   ORDER BY v.x_low IS NULL, v.n DESC) AS turn
    FROM versus v JOIN library_cells l USING (host, experiment, task, side, contract)
    WHERE l.cell = v.base_cell AND v.problem = 'matmul' AND v.idea = 'cuda-async' AND l.place = 1 AND v.place = 1)
SELECT f.host, f.experiment, f.precision, f.n, f.idea, f.base, f.ratio, f.low, f.high, f.verdict, f.flagged,
       f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower,
       g.base AS first, g.ratio AS gain_ratio, g.low AS gain_low, g.high AS gain_high, g.flagged AS gain_flagged
FROM found f JOIN versus g ON g.host = f.host AND g.experiment = f.experiment AND g.cell = f.cell AND g.task = f.task
  AND g.base = 'cuda-global' AND g.base_place = 1
WHERE f.turn = 1
ORDER BY f.host_ord, f.x_low IS NULL, (f.host, f.experiment) NOT IN (SELECT host, experiment FROM tables
                                                                     WHERE name = 'ladder'), f.study_ord, f.precision;
