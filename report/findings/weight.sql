-- Why does Jacobi take many sweeps, and what does a weight change? SPDX-License-Identifier: MIT
-- asks.ru: Почему методу Якоби нужно много итераций и что меняет вес
-- says: Jacobi takes \iffact{least}{\fact{least} sweeps at $n = \fact{least_n}$ and }\fact{most} at $n = \fact{n}$,
--   as one eigenvalue of its iteration tends to $-1$; weighted with $\omega=\mbox{\fact{omega}}$ it takes
--   \range{low}{high} at all sizes.
-- says.ru: Метод Якоби требует \iffact{least}{\fact{least}~\forms{least}{итерацию}{итерации}{итераций} при $n =
--   \fact{least_n}$ и }\fact{most}~\forms{most}{итерацию}{итерации}{итераций} при $n = \fact{n}$, так как одно
--   собственное число его матрицы стремится к $-1$; с весом $\omega=\mbox{\fact{omega}}$ он требует \range{low}{high}
--   итераций при всех размерах.
-- rank: 18
-- chapter: solvers
-- facts
WITH solved AS (
    SELECT * FROM compared WHERE problem = 'jacobi' AND sweeps IS NULL AND NOT chaotic),
plain AS (SELECT *, max(n) FROM solved WHERE omega = 1 GROUP BY host, experiment, precision),
first AS (SELECT *, min(n) FROM solved WHERE omega = 1 GROUP BY host, experiment, precision),
weighted AS (
    SELECT host, experiment, precision, omega, min(iterations) AS low, max(iterations) AS high
    FROM solved WHERE omega <> 1 GROUP BY host, experiment, precision, omega)
SELECT p.host, p.experiment, p.idea, p.n, grouped(p.iterations) AS most,
       iif(f.n < p.n, f.n, NULL) AS least_n,
       iif(f.n < p.n, grouped(f.iterations), NULL) AS least,
       fraction(w.omega) AS omega, w.low, w.high,
       iif(p.host_ord > min(p.host_ord) OVER (), 1, NULL) AS minor -- a count of sweeps is no matter of the machine
FROM plain p JOIN first f USING (host, experiment, precision) JOIN weighted w USING (host, experiment, precision)
WHERE p.iterations > w.high ORDER BY p.host_ord, p.study_ord, p.precision;
