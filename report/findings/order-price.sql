-- What does the order of Gauss-Seidel cost in a sweep? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит порядок строк за одну итерацию
-- says: A sweep in order takes \code{idea} \fact{sweep}, a sweep of \code{base} \fact{base_sweep}: \fact{cost} times
--   the time\iffact{base_sweeps}{, for \fact{order_sweeps}~sweeps instead of \fact{base_sweeps}} (\fact{precision},
--   $n = \fact{n}$).
-- says.ru: Итерация в порядке строк занимает у \code{idea} \fact{sweep}, итерация \code{base} — \fact{base_sweep};
--   отношение \fact{cost}\iffact{base_sweeps}{, зато итераций \fact{order_sweeps} вместо \fact{base_sweeps}}
--   (\fact{precision}, $n = \fact{n}$).
-- rank: 27
-- chapter: solvers
-- facts
WITH pairs AS (
    SELECT g.*, j.variant AS base, g.median_s / g.iterations AS sweep_s, j.median_s / j.iterations AS base_sweep_s,
           j.iterations AS base_sweeps,
           row_number() OVER (PARTITION BY g.host, g.experiment, g.side
                              ORDER BY g.n DESC, j.experiment <> g.experiment,
                                       j.median_s / j.iterations) AS turn
    FROM cells g JOIN cells j ON j.host = g.host AND j.machine = g.machine AND j.side = g.side AND j.n = g.n
      AND j.precision = g.precision
      AND j.threads IS g.threads AND j.problem = 'jacobi' AND NOT j.vendor AND j.idea <> 'seq' AND j.omega = 1
      AND j.sweeps IS g.sweeps
    WHERE g.problem = 'seidel' AND g.idea IN ('omp-exact', 'cuda-exact') AND g.omega = 1)
SELECT host, experiment, variant AS idea, base, precision, n, si(sweep_s, 's') AS sweep,
       si(base_sweep_s, 's') AS base_sweep, sig(sweep_s / base_sweep_s, 3) AS cost, iterations AS order_sweeps,
       iif(sweeps IS NULL, base_sweeps, NULL) AS base_sweeps
FROM pairs WHERE turn = 1 ORDER BY host_ord, side DESC, study_ord;
