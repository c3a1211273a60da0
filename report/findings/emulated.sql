-- Are products from parts of operands on tensor cores fast, and as exact as the library's? SPDX-License-Identifier: MIT
-- asks.ru: Быстры ли произведения по частям на тензорных ядрах и так ли они точны, как у библиотеки
-- says: \code{idea} \speed{} \code{base}\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{,
--   \fact{threads}~\plural{threads}{thread}{threads}}). Of the entries that the check computes again, the largest error
--   is \fact{error}, the library's \fact{base_error}; the unit is $\sqrt{k}\,u\,|A||B|$, and \fact{bound} is allowed.
-- says.ru: \code{idea} \speed{} \code{base}\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков:
--   \fact{threads}}). Наибольшая ошибка пересчитанных элементов — \fact{error}, у библиотеки — \fact{base_error};
--   единица — $\sqrt{k}\,u\,|A||B|$, допускается \fact{bound}.
-- rank: 9
-- chapter: matmul
-- The largest n, and there the most threads. The library is at its best on at most as many threads.
-- facts
WITH pairs AS (
    SELECT v.*, b.title, b.entry_error,
           row_number() OVER (PARTITION BY v.host, v.experiment, v.task, v.cell ORDER BY b.place) AS best
    FROM versus v JOIN library_cells b USING (host, experiment, task, side, contract)
    WHERE b.cell = v.base_cell AND v.problem = 'matmul' AND v.emulated AND v.place = 1
      AND iif(v.threads IS NULL, b.threads IS NULL, b.threads <= v.threads)),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, idea
                                 ORDER BY x_low IS NULL, n DESC, coalesce(threads, 0) DESC, x DESC) AS turn
    FROM pairs WHERE best = 1)
SELECT f.host, f.experiment, f.idea, f.title AS base, f.precision, f.n, f.threads, f.ratio, f.low, f.high, f.verdict,
       f.flagged, f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower, sig(o.error, 2) AS error,
       sig(f.entry_error, 2) AS base_error, sig(o.bound, 2) AS bound
FROM found f JOIN compared o ON o.host = f.host AND o.experiment = f.experiment AND o.cell = f.cell
WHERE f.turn = 1 AND o.error IS NOT NULL AND f.entry_error IS NOT NULL
ORDER BY f.host_ord, f.x_low IS NULL, f.x DESC, f.study_ord;
