-- What do the numbers in the matrices change? SPDX-License-Identifier: MIT
-- asks.ru: Что меняют числа в матрицах
-- says: On zeros in place of random numbers, \code{idea} has \ratio{} times the speed, and draws
--   \fact{zeros_power} in place of \fact{power} (\fact{precision}, $n = \fact{n}$).
-- says.ru: На нулях вместо случайных чисел скорость \code{idea} составляет \ratio{} прежней, а мощность —
--   \fact{zeros_power} вместо \fact{power} (\fact{precision}, $n = \fact{n}$).
-- rank: 2
-- chapter: matmul
-- facts
-- The fastest variant of each precision on random numbers, at the largest size.
WITH kind AS (SELECT *, drop_axes(settings, 'inputs') AS other FROM shown_cell WHERE problem = 'matmul'),
pair AS (
    SELECT u.*, z.power_w AS zeros_w, u.median_s / z.median_s AS x, ratio_low(u.span, z.span) AS x_low,
           ratio_high(u.span, z.span) AS x_high, all_flags(u.flagged, z.flagged) AS either
    FROM kind u JOIN kind z USING (host, experiment, variant, other, machine)
    WHERE u.usual AND z.inputs = 'zeros' AND z.conditions = 1 AND u.power_w > 0 AND z.power_w > 0),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, side, precision ORDER BY n DESC, median_s) AS turn
    FROM pair)
SELECT host, experiment, idea, precision, n, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       either AS flagged, sig(power_w, 3) || ' W' AS power, sig(zeros_w, 3) || ' W' AS zeros_power
FROM ranked WHERE turn = 1 ORDER BY host_ord, study_ord, side DESC, precision DESC;
