-- What did the source time as Gauss–Seidel on its GPU? SPDX-License-Identifier: MIT
-- asks.ru: Что источник измерил на GPU как метод Гаусса--Зейделя
-- says: The source's times of Gauss--Seidel on its GPU are \range{least_share}{share}\,\% of those of its Jacobi. If
--   a sweep of either costs the same, these are \fact{low} to \fact{high}~sweeps, nearer to Jacobi than to
--   Gauss--Seidel.
-- says.ru: Времена метода Гаусса--Зейделя на GPU в источнике составляют \range{least_share}{share}\,\% времён его
--   метода Якоби. Если итерация обоих стоит одинаково, это от \fact{low} до \fact{high} итераций, что ближе к Якоби,
--   чем к Гауссу--Зейделю.
-- rank: 28
-- chapter: solvers
-- facts
SELECT (SELECT host FROM chosen WHERE experiment = 'granular-seidel' ORDER BY host_ord LIMIT 1) AS host,
       'granular-seidel' AS experiment, sig(100 * min(s.cuda_ms / j.cuda_ms)) AS least_share,
       sig(100 * max(s.cuda_ms / j.cuda_ms)) AS share,
       grouped(sig(min(s.cuda_ms / j.cuda_ms * x.iterations_low), 2)) AS low,
       grouped(sig(max(s.cuda_ms / j.cuda_ms * x.iterations_high), 2)) AS high
FROM granular_seidel s JOIN granular_jacobi j ON j.n = s.n AND j.cuda_ms IS NOT NULL
JOIN expected x ON x.n = s.n AND x.problem = 'jacobi' AND x.omega = 1
WHERE EXISTS (SELECT 1 FROM chosen WHERE experiment = 'granular-seidel') HAVING count(*) > 0;
