-- What do the numbers in the matrices change? SPDX-License-Identifier: MIT
-- asks.ru: Что меняют числа в матрицах
-- says: With matrices of \when{kind}{zeros}{zeros}\when{kind}{integers}{integers} in place of random numbers,
--   \code{idea} has \ratio{} times the speed, and the GPU draws \fact{kind_power} in place of \fact{power}
--   (\fact{precision}, $n = \fact{n}$).
-- says.ru: Отношение скорости \code{idea} на матрицах из \when{kind}{zeros}{нулей}\when{kind}{integers}{целых чисел} к
--   скорости на случайных — \ratio{}, мощность — \fact{kind_power} вместо \fact{power} (\fact{precision}, $n =
--   \fact{n}$).
-- rank: 2
-- chapter: matmul
-- facts
-- The fastest variant of each precision on random numbers that was measured on the others too, at the largest size.
WITH product AS (SELECT *, drop_axes(settings, 'inputs') AS other FROM shown_cell WHERE problem = 'matmul'),
pair AS (
    SELECT u.*, o.inputs AS kind, o.power_w AS kind_w, u.median_s / o.median_s AS x,
           ratio_low(u.span, o.span) AS x_low, ratio_high(u.span, o.span) AS x_high,
           all_flags(u.flagged, o.flagged) AS either
    FROM product u JOIN product o USING (host, experiment, variant, other, machine)
    WHERE u.usual AND o.inputs IN ('zeros', 'integers') AND o.conditions = 1 AND u.power_w > 0 AND o.power_w > 0),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, side, precision, kind ORDER BY n DESC, median_s) AS turn
    FROM pair)
SELECT host, experiment, idea, precision, n, kind, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       either AS flagged, sig(power_w, 3) || ' W' AS power, sig(kind_w, 3) || ' W' AS kind_power
FROM ranked WHERE turn = 1 ORDER BY host_ord, study_ord, side DESC, precision DESC, kind DESC;
