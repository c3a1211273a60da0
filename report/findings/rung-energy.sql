-- Which rung of the ladder saves energy, and which only time? SPDX-License-Identifier: MIT
-- asks.ru: Какая ступень лестницы экономит энергию, а какая — только время
-- says: In \fact{precision}, the step from \code{base} to \code{idea} saves most energy of the ladder: \code{base}
--   takes \ratio{} times the energy and \ratio[time_]{} times the time ($n =
--   \fact{n}$).\iffact{only_time}{ Faster, and proved not to take less energy: \code{only_time}.}\iffact{open}{ Faster,
--   while it is undecided whether they take less energy: \code{open}.}
-- says.ru: В \fact{precision} больше всего энергии экономит шаг к \code{idea}: отношение энергии предыдущей измеренной
--   ступени, \code{base}, к её энергии — \ratio{}, отношение времён — \ratio[time_]{} ($n =
--   \fact{n}$).\iffact{only_time}{ Быстрее предыдущей, но доказано, что энергии не меньше:
--   \code{only_time}.}\iffact{open}{ Быстрее предыдущей, а меньше ли энергии, не установлено: \code{open}.}
-- rank: 23
-- chapter: matmul
-- facts
WITH rung AS (
    SELECT c.*, e.joules FROM compared c JOIN energies e USING (host, experiment, cell)
    WHERE c.problem = 'matmul' AND c.side = 'GPU' AND c.library IS NULL AND c.place = 1
      AND c.input_roundoff = 0
      AND c.n = (SELECT max(n) FROM compared o JOIN energies USING (host, experiment, cell)
                 WHERE o.host = c.host AND o.experiment = c.experiment AND o.problem = 'matmul' AND o.side = 'GPU')),
step AS (
    SELECT *, lag(idea) OVER before AS base, lag(joules) OVER before AS base_joules, lag(span) OVER before AS base_span,
           lag(energy_j) OVER before / energy_j AS x, lag(median_s) OVER before / median_s AS time_x,
           all_flags(flagged, lag(flagged) OVER before) AS either, coalesce(weak, lag(weak) OVER before) AS either_weak
    FROM rung WINDOW before AS (PARTITION BY host, experiment, precision ORDER BY ord)),
judged AS (
    SELECT *, ratio_low(base_joules, joules) AS x_low, ratio_high(base_joules, joules) AS x_high,
           ratio_low(base_span, span) AS time_low, ratio_high(base_span, span) AS time_high
    FROM step WHERE base IS NOT NULL),
told AS (
    SELECT *, verdict(x, x_low, x_high, either_weak) AS saves,
           verdict(time_x, time_low, time_high, either_weak) AS hastens,
           row_number() OVER (PARTITION BY host, experiment, precision
                              ORDER BY verdict(x, x_low, x_high, either_weak) = 'faster' DESC, x DESC) AS turn
    FROM judged)
SELECT t.host, t.experiment, t.precision, t.n, t.idea, t.base, ratio(t.x) AS ratio, ratio(t.x_low) AS low,
       ratio(t.x_high) AS high, t.either & ~flag('capped') AS flagged, ratio(t.time_x) AS time_ratio,
       ratio(t.time_low) AS time_low, ratio(t.time_high) AS time_high, t.either AS time_flagged,
       (SELECT group_concat(o.idea, ', ') FROM told o
        WHERE o.host = t.host AND o.experiment = t.experiment AND o.precision = t.precision
          AND o.hastens = 'faster' AND o.saves IN ('same', 'slower')) AS only_time,
       (SELECT group_concat(o.idea, ', ') FROM told o
        WHERE o.host = t.host AND o.experiment = t.experiment AND o.precision = t.precision
          AND o.hastens = 'faster' AND o.saves NOT IN ('faster', 'same', 'slower')) AS open
FROM told t WHERE t.turn = 1 AND t.saves = 'faster' ORDER BY t.host_ord, t.study_ord, t.precision DESC;
