-- Is the fastest variant the one that takes the least energy? SPDX-License-Identifier: MIT
-- asks.ru: Самый ли быстрый вариант требует меньше всего энергии
-- says: \when{same}{1}{The fastest variant, \code{idea}, also takes the least energy: \fact{energy}}\when{same}{0}{The
--   fastest variant, \code{idea}, takes \ratio{} times the energy of \code{base}, which is \fact{slowdown} times as
--   slow\judged} (\fact{precision}, $n = \fact{n}$).
-- says.ru: \when{same}{1}{Самый быстрый вариант, \code{idea}, требует и меньше всего энергии:
--   \fact{energy}}\when{same}{0}{Самый быстрый вариант, \code{idea}, требует \ratio{} энергии \code{base}, который
--   медленнее в \fact{slowdown} \forms{slowdown}{раз}{раза}{раз}\judged} (\fact{precision}, $n = \fact{n}$).
-- rank: 32
-- chapter: ceilings
-- facts
-- Variants of one task and contract on one side, at the largest size.
WITH placed AS (
    SELECT c.*, e.joules, row_number() OVER fastest AS fast, row_number() OVER thriftiest AS thrifty
    FROM compared c JOIN energies e USING (host, experiment, cell) WHERE c.input_roundoff = 0
    WINDOW fastest AS (PARTITION BY c.host, c.experiment, c.task, c.contract, c.side ORDER BY c.median_s),
           thriftiest AS (PARTITION BY c.host, c.experiment, c.task, c.contract, c.side ORDER BY c.energy_j)),
pair AS (
    SELECT f.*, t.variant AS base, f.cell = t.cell AS same, f.energy_j / t.energy_j AS x,
           ratio_low(f.joules, t.joules) AS x_low, ratio_high(f.joules, t.joules) AS x_high,
           t.median_s / f.median_s AS slowdown, all_flags(f.flagged, t.flagged) AS either,
           coalesce(f.weak, t.weak) AS either_weak,
           row_number() OVER (PARTITION BY f.host, f.experiment, f.problem, f.precision, f.contract, f.side
                              ORDER BY f.n DESC) AS turn
    FROM placed f JOIN placed t USING (host, experiment, task, contract, side)
    WHERE f.fast = 1 AND t.thrifty = 1)
SELECT host, experiment, variant AS idea, base, same, precision, n, si(energy_j, 'J') AS energy, ratio(x) AS ratio,
       ratio(x_low) AS low, ratio(x_high) AS high,
       iif(same, 'same', verdict(x, x_low, x_high, either_weak)) AS verdict,
       either & ~flag('capped') AS flagged, ratio(slowdown) AS slowdown
-- That one variant is both says nothing where its times are in doubt.
FROM pair WHERE turn = 1 AND NOT (same AND either_weak IS NOT NULL) ORDER BY host_ord, study_ord, side DESC, ord;
