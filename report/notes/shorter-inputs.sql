-- Variants that state that they read their inputs in a shorter format, which widens the bound of their verification.
-- The first study of a variant tells it. SPDX-License-Identifier: MIT
-- says: \code{idea} states that it rounds its inputs by up to $2^{-\fact{bits}}$ of their size, so that its results may
--   have larger errors than those of the other variants.
-- says.ru: \code{idea} сообщает, что округляет входные данные с относительной погрешностью до $2^{-\fact{bits}}$,
--   поэтому ошибки его результатов могут быть больше, чем у других вариантов.
-- facts
SELECT host, experiment, idea, CAST(round(-log2(input_roundoff)) AS INTEGER) AS bits
FROM (SELECT *, row_number() OVER (PARTITION BY idea ORDER BY study_ord, host_ord, input_roundoff DESC) AS turn
      FROM compared WHERE input_roundoff > 0)
WHERE turn = 1 ORDER BY study_ord, idea;
