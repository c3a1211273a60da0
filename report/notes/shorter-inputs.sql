-- Variants that state that they read their inputs in a shorter format, which widens the bound of their verification.
-- SPDX-License-Identifier: MIT
-- says: \code{idea} states that it rounds its inputs by up to \fact{roundoff} of their size, so that its results may
--   have larger errors than those of the other variants.
-- says.ru: \code{idea} сообщает, что округляет входные данные с относительной погрешностью до \fact{roundoff}, поэтому
--   для его результатов допускаются большие ошибки, чем для других вариантов.
-- facts
SELECT c.host, c.experiment, c.idea, sig(max(v.input_roundoff)) AS roundoff
FROM cells c JOIN variants v ON v.host = c.host AND v.experiment = c.experiment AND v.name = c.problem || '/' || c.idea
WHERE v.input_roundoff > 0
GROUP BY c.host, c.experiment, c.idea ORDER BY c.host_ord, c.study_ord, c.idea;
