-- Are products from parts of operands on tensor cores fast, and as exact as the library's? SPDX-License-Identifier: MIT
-- asks.ru: Быстры ли произведения по частям на тензорных ядрах и так ли они точны, как у библиотеки
-- says: \code{idea} \speed{} \code{base}\judged{} at $n = \fact{n}$; its largest error is \fact{error}, the library's
--   \fact{base_error}, in units of $\sqrt{k}\,u\,|A||B|$ (\fact{bound} is allowed).
-- says.ru: \code{idea} \speed{} \code{base}\judged{} при $n = \fact{n}$; наибольшая ошибка \fact{error}, у библиотеки
--   \fact{base_error}, в единицах $\sqrt{k}\,u\,|A||B|$ (допускается \fact{bound}).
-- rank: 9
-- chapter: matmul
-- facts
WITH found AS (
    SELECT v.*, row_number() OVER (PARTITION BY v.host, v.experiment, v.idea ORDER BY v.x_low IS NULL, v.n DESC) AS turn
    FROM versus v JOIN library_cells b USING (host, experiment, task, side, contract)
    WHERE b.cell = v.base_cell AND v.problem = 'matmul' AND v.emulated AND b.place = 1)
SELECT f.host, f.experiment, f.idea, f.base, f.n, f.ratio, f.low, f.high, f.verdict, f.flagged, f.cost_ratio,
       f.cost_low, f.cost_high, f.cost_flagged, f.slower, sig(o.error,
       2) AS error,
       sig(l.error, 2) AS base_error, sig(o.bound, 2) AS bound
FROM found f JOIN compared o ON o.host = f.host AND o.experiment = f.experiment AND o.cell = f.cell
JOIN compared l ON l.host = f.host AND l.experiment = f.experiment AND l.cell = f.base_cell
WHERE f.turn = 1 AND o.error IS NOT NULL AND l.error IS NOT NULL ORDER BY f.host_ord, f.x_low IS NULL, f.x DESC,
f.study_ord;
