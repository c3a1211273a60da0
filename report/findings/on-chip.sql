-- What does it gain to hold the matrix on the chip over all sweeps? SPDX-License-Identifier: MIT
-- asks.ru: Что даёт матрица, которая на протяжении всех итераций остаётся на кристалле
-- says: With its matrix in registers and shared memory over all sweeps, \code{idea} \speed{} \code{base}, where each
--   sweep reads the matrix\judged{} (\fact{precision}, $n = \fact{n}$, $\omega =$ \fact{omega}).
-- says.ru: Когда матрица на протяжении всех итераций остаётся в регистрах и разделяемой памяти, \code{idea} \speed{}
--   \code{base}, где её читает каждая итерация\judged{} (\fact{precision}, $n = \fact{n}$,
--   $\omega =$ \fact{omega}).
-- rank: 26
-- chapter: solvers
-- facts
WITH pairs AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, variant
                                 ORDER BY x_low IS NULL, n DESC, precision DESC, omega <> 1,
                                          sweeps IS NOT NULL, x DESC) AS turn
    FROM versus
    WHERE idea = 'cuda-onchip' AND base = iif(problem = 'jacobi', 'cuda-persistent', 'cuda-exact'))
SELECT host, experiment, variant AS idea, problem || '/' || base AS base, precision, n, fraction(omega) AS omega,
       ratio, low, high, verdict,
       flagged, cost_ratio, cost_low, cost_high, cost_flagged, slower
FROM pairs WHERE turn = 1 ORDER BY host_ord, study_ord, variant;
