-- What does a correct digit cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит верная цифра
-- says: The energy of a product over its correct decimal digits is \fact{price} with \code{idea} (\fact{digits}
--   digits) and \fact{base_price} with \code{base} (\fact{base_digits} digits): \ratio{} times as much ($n =
--   \fact{n}$).
-- says.ru: Энергия произведения на одну верную десятичную цифру — \fact{price} с \code{idea} (цифр: \fact{digits}) и
--   \fact{base_price} с \code{base} (цифр: \fact{base_digits}): отношение — \ratio{} ($n = \fact{n}$).
-- rank: 31
-- chapter: matmul
-- facts
-- The error of verification counts in sqrt(k) u |A||B|; `digits` are those of an entry that is as large as |A||B|.
WITH priced AS (
    SELECT c.*, e.joules, -log10(c.error * sqrt(coalesce(c.k, c.n)) * 5.9604644775390625e-8) AS digits
    FROM compared c JOIN energies e USING (host, experiment, cell)
    WHERE c.problem = 'matmul' AND c.precision = 'f32' AND c.side = 'GPU' AND c.error > 0),
pair AS (
    SELECT o.*, l.idea AS base, l.digits AS base_digits, l.energy_j AS base_j,
           l.energy_j / l.digits * o.digits / o.energy_j AS x,
           ratio_low(l.joules, o.joules) * o.digits / l.digits AS x_low,
           ratio_high(l.joules, o.joules) * o.digits / l.digits AS x_high, all_flags(o.flagged, l.flagged) AS either,
           row_number() OVER (PARTITION BY o.host, o.experiment, o.idea ORDER BY o.n DESC, l.median_s) AS turn
    FROM priced o JOIN priced l USING (host, experiment, task)
    WHERE o.emulated AND l.vendor AND NOT l.on_tensor AND l.input_roundoff = 0)
SELECT host, experiment, idea, base, n, si(energy_j / digits, 'J') AS price, sig(digits, 2) AS digits,
       si(base_j / base_digits, 'J') AS base_price, sig(base_digits, 2) AS base_digits, ratio(x) AS ratio,
       ratio(x_low) AS low, ratio(x_high) AS high, either AS flagged
FROM pair WHERE turn = 1 ORDER BY host_ord, study_ord, x DESC;
