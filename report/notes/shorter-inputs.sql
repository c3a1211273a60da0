-- Variants that state that they read their inputs in a shorter format, which widens the bound of their verification.
-- SPDX-License-Identifier: MIT
-- says: \code{idea} states that it rounds its inputs by up to $2^{-\fact{bits}}$ of their size, so that its results may
--   have larger errors than those of the other variants.
-- says.ru: \code{idea} сообщает, что округляет входные данные с относительной погрешностью до $2^{-\fact{bits}}$,
--   поэтому ошибки его результатов могут быть больше, чем у других вариантов.
-- facts
SELECT host, experiment, idea, CAST(round(-log2(max(input_roundoff))) AS INTEGER) AS bits FROM compared
WHERE input_roundoff > 0 GROUP BY host, experiment, idea ORDER BY host_ord, study_ord, idea;
