-- What does pivoting cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит выбор ведущего элемента
-- says: Partial pivoting takes \ratio[cost_]{times the time} of no pivoting (\code{idea} against \code{base})\judged{}
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}: \fact{time}
--   against \fact{base_time}); the matrices without pivoting are diagonally dominant.
-- says.ru: Время разложения с частичным выбором ведущего элемента относительно разложения без выбора — \ratio[cost_]
--   (\code{idea} и \code{base})\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков: \fact{threads}}:
--   \fact{time} против \fact{base_time}); матрицы без выбора — с диагональным преобладанием, с выбором — общего вида.
-- lacks: No library was measured both with and without pivots in several rounds.
-- lacks.ru: Ни одна библиотека не измерена с выбором и без выбора ведущего элемента в нескольких раундах.
-- rank: 5
-- answer: 8
-- evidence: table lu-libraries, table power
-- chapter: lu
-- facts
WITH sized AS (
    SELECT *, is_large(n, max(n) OVER (PARTITION BY host)) AS large FROM versus
    WHERE problem = 'lu' AND contract = 'partial' AND base_contract = 'none' AND side = base_side
      AND threads IS base_threads AND library = base_library AND place = 1 AND base_place = 1),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, side, idea
                                 ORDER BY x_low IS NULL, NOT large, weak IS NOT NULL, n DESC,
                                          coalesce(threads, 0) DESC, precision DESC, base_s) AS turn
    FROM sized)
SELECT host, experiment, precision, n, threads, idea, base, time, base_time, ratio, low, high, flagged, cost_ratio,
       cost_low, cost_high, cost_flagged, verdict
FROM found JOIN (SELECT experiment, problem AS first_problem FROM study) USING (experiment)
WHERE turn = 1
ORDER BY host_ord, x_low IS NULL, NOT large, weak IS NOT NULL, vendor, n DESC, first_problem <> 'lu', study_ord;
