-- Is the fastest variant the one that takes the least energy? SPDX-License-Identifier: MIT
-- asks.ru: Самый ли быстрый вариант требует меньше всего энергии
-- says: \when{same}{1}{The fastest variant that rounds no inputs also takes the least energy in \fact{tasks} of
--   \fact{all}~\plural{all}{task}{tasks}. The next one by energy takes so many times as much:
--   \fact{list}.}\when{same}{0}{The fastest variant, \code{idea}, takes \ratio{} times the energy of \code{base}, which
--   takes \fact{slowdown} times as long\judged{} (\fact{precision}, $n = \fact{n}$).}
-- says.ru: \when{same}{1}{Самый быстрый вариант, не округляющий исходные данные, требует и меньше всего энергии в
--   \fact{tasks}~\forms{tasks}{случае}{случаях}{случаях} из \fact{all}. Следующий по энергии требует больше во столько
--   раз: \fact{list}.}\when{same}{0}{Самый быстрый вариант, \code{idea}, требует \ratio{} энергии \code{base}, который
--   медленнее в \fact{slowdown} \forms{slowdown}{раз}{раза}{раз}\judged{} (\fact{precision}, $n = \fact{n}$).}
-- rank: 32
-- chapter: ceilings
-- facts
-- Variants of one task and contract on one side, at the largest size. `list`: of each task whose fastest variant is
-- proved to take the least energy, the ratio of the next one's energy to its.
WITH placed AS (
    SELECT c.*, e.joules, row_number() OVER fastest AS fast, row_number() OVER thriftiest AS thrifty
    FROM compared c JOIN energies e USING (host, experiment, cell) WHERE c.input_roundoff = 0
    WINDOW fastest AS (PARTITION BY c.host, c.experiment, c.task, c.contract, c.side ORDER BY c.median_s),
           thriftiest AS (PARTITION BY c.host, c.experiment, c.task, c.contract, c.side ORDER BY c.energy_j)),
pair AS (
    SELECT f.*, t.variant AS base, f.thrifty = 1 AS same, f.energy_j / t.energy_j AS x, t.joules AS its_joules,
           ratio_low(f.joules, t.joules) AS x_low, ratio_high(f.joules, t.joules) AS x_high,
           t.median_s / f.median_s AS slowdown, all_flags(f.flagged, t.flagged) & ~flag('capped') AS either,
           coalesce(f.weak, t.weak) AS either_weak,
           row_number() OVER (PARTITION BY f.host, f.experiment, f.problem, f.precision, f.contract, f.side
                              ORDER BY f.n DESC) AS turn
    FROM placed f JOIN placed t USING (host, experiment, task, contract, side)
    WHERE f.fast = 1 AND t.thrifty = iif(f.thrifty = 1, 2, 1)),
told AS (
    SELECT *, verdict(x, x_low, x_high, either_weak) AS judged,
           count(*) OVER (PARTITION BY host, experiment) AS tasks
    FROM pair WHERE turn = 1),
thrifty AS (
    SELECT host, experiment, host_ord, study_ord, tasks,
           variant || ' (' || precision || ') ' || translated(ratio(its_joules, joules)) AS item
    FROM told WHERE same AND judged = 'slower' ORDER BY ord, precision),
rows AS (
    SELECT host, experiment, host_ord, study_ord, 0 AS row, NULL AS idea, NULL AS base, 1 AS same, NULL AS precision,
           NULL AS n, count(*) AS tasks, tasks AS "all", group_concat(item, '; ') AS list, NULL AS ratio, NULL AS low,
           NULL AS high, 'same' AS verdict, NULL AS flagged, NULL AS slowdown
    FROM thrifty GROUP BY host, experiment
    UNION ALL
    SELECT host, experiment, host_ord, study_ord, ord, variant, base, 0, precision, n, NULL, NULL, NULL, ratio(x),
           ratio(x_low), ratio(x_high), judged, either, ratio(slowdown)
    FROM told WHERE NOT same)
SELECT host, experiment, idea, base, same, precision, n, tasks, "all", list, ratio, low, high, verdict, flagged,
       slowdown
FROM rows ORDER BY host_ord, study_ord, row;
