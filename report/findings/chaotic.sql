-- Does chaotic relaxation pay? SPDX-License-Identifier: MIT
-- asks.ru: Окупается ли хаотическая релаксация
-- says: without an order (\code{idea}\iffact{tile}{, blocks of \fact{tile}~threads}) the solver takes
--   \fact{sweeps}~sweeps instead of \fact{base_sweeps} and is \ratio{} times as fast as the order of the rows
--   (\code{base})\judged{} at $n = \fact{n}$\iffact{jacobi}{; Jacobi takes \fact{jacobi}~sweeps there}.
-- says.ru: без порядка (\code{idea}\iffact{tile}{, блоки по \fact{tile} нитей}) решатель требует
--   \fact{sweeps}~\forms{sweeps}{итерацию}{итерации}{итераций} вместо \fact{base_sweeps}; ускорение относительно
--   порядка строк (\code{base}) — \ratio\judged{} при $n = \fact{n}$\iffact{jacobi}{; методу Якоби там нужно
--   \fact{jacobi} итераций}.
-- rank: 14
-- chapter: solvers
-- facts
WITH found AS (
    SELECT v.*, row_number() OVER (PARTITION BY v.host, v.experiment, v.side
                                   ORDER BY v.n DESC, coalesce(v.threads, 0) DESC, v.x DESC, v.base_s) AS turn
    FROM versus v
    WHERE v.problem = 'seidel' AND v.chaotic AND v.base IN ('omp-exact', 'cuda-exact') AND v.base_side = v.side
      AND v.sweeps IS NULL AND v.omega = 1 AND coalesce(v.threads, 0) = coalesce(v.base_threads, 0))
SELECT f.host, f.experiment, f.idea, f.base, f.n, iif(f.side = 'GPU', f.tile, NULL) AS tile, f.iterations AS sweeps,
       f.base_iterations AS base_sweeps, f.ratio, f.low, f.high, f.verdict, f.flagged,
       (SELECT CAST(median(j.iterations) AS INTEGER) FROM cells j
        WHERE j.host = f.host AND j.problem = 'jacobi' AND j.n = f.n AND j.precision = f.precision AND j.omega = 1
          AND j.sweeps IS NULL) AS jacobi
FROM found f WHERE f.turn = 1 ORDER BY f.host_ord, f.side DESC, f.study_ord;
