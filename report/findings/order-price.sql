-- What does the order of Gauss–Seidel cost in a sweep? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоит порядок строк за одну итерацию
-- says: A sweep in order takes \code{idea} \fact{sweep}, a sweep of \code{base} \fact{base_sweep}: \ratio[cost_]{}
--   times the time\judged\iffact{base_sweeps}{, for \fact{order_sweeps}~sweeps instead of \fact{base_sweeps}}
--   (\fact{precision}, $n = \fact{n}$).
-- says.ru: Итерация в порядке строк занимает у \code{idea} \fact{sweep}, итерация \code{base} — \fact{base_sweep};
--   отношение \ratio[cost_]\judged\iffact{base_sweeps}{, зато итераций \fact{order_sweeps} вместо
--   \fact{base_sweeps}} (\fact{precision}, $n = \fact{n}$).
-- rank: 27
-- chapter: solvers
-- facts
WITH pairs AS (
    SELECT g.*, j.variant AS base, g.median_s / g.iterations AS sweep_s, j.median_s / j.iterations AS base_sweep_s,
           j.iterations AS base_sweeps,
           ratio_low(g.span, j.span) / g.iterations * j.iterations AS cost_lo,
           ratio_high(g.span, j.span) / g.iterations * j.iterations AS cost_hi,
           j.flagged AS base_flagged, j.weak AS base_weak,
           row_number() OVER (PARTITION BY g.host, g.experiment, g.side
                              ORDER BY g.ci_lo_s IS NULL OR j.ci_lo_s IS NULL, g.n DESC,
                                       j.median_s / j.iterations) AS turn
    FROM compared g JOIN compared j ON j.host = g.host AND j.experiment = g.experiment AND j.machine = g.machine
      AND j.side = g.side AND j.n = g.n
      AND j.precision = g.precision
      AND j.threads IS g.threads AND j.problem = 'jacobi' AND NOT j.vendor AND j.idea <> 'seq' AND j.omega = 1
      AND j.sweeps IS g.sweeps
    WHERE g.problem = 'seidel' AND g.idea IN ('omp-exact', 'cuda-exact') AND g.omega = 1)
SELECT host, experiment, variant AS idea, base, precision, n, marked(si(sweep_s, 's'), flagged) AS sweep,
       marked(si(base_sweep_s, 's'), base_flagged) AS base_sweep, ratio(sweep_s / base_sweep_s) AS cost_ratio,
       ratio(cost_lo) AS cost_low, ratio(cost_hi) AS cost_high, all_flags(flagged, base_flagged) AS cost_flagged,
       ratio(base_sweep_s / sweep_s) AS ratio, ratio(1 / cost_hi) AS low, ratio(1 / cost_lo) AS high,
       all_flags(flagged, base_flagged) AS flagged,
       verdict(base_sweep_s / sweep_s, 1 / cost_hi, 1 / cost_lo, coalesce(weak, base_weak)) AS verdict,
       iterations AS order_sweeps,
       iif(sweeps IS NULL, grouped(base_sweeps), NULL) AS base_sweeps
FROM pairs WHERE turn = 1 ORDER BY host_ord, side DESC, study_ord;
