-- Is the Gauss–Seidel of the source on a GPU Gauss–Seidel? SPDX-License-Identifier: MIT
-- asks.ru: Является ли метод Гаусса--Зейделя источника на GPU методом Гаусса--Зейделя
-- says: With the source's launch, \fact{blocks}~blocks of \fact{tile}~threads, \code{idea} takes
--   \fact{sweeps}~sweeps at $n = \fact{n}$, which is \fact{share}\,\% of Jacobi's \fact{jacobi}\iffact{fresh}{; with
--   volatile loads (\code{fresh_idea}) it takes \fact{fresh}}; the order of the rows takes \fact{base_sweeps}.
-- says.ru: При запуске источника (\fact{blocks}~\forms{blocks}{блок}{блока}{блоков} по
--   \fact{tile}~\forms{tile}{потоку}{потока}{потоков}) \code{idea} требует
--   \fact{sweeps}~\forms{sweeps}{итерацию}{итерации}{итераций} при $n = \fact{n}$, то есть \fact{share}\,\% числа
--   итераций метода Якоби (\fact{jacobi})\iffact{fresh}{; с чтением \texttt{volatile} (\code{fresh_idea}) —
--   \fact{fresh}}; в порядке строк их \fact{base_sweeps}.
-- rank: 11
-- chapter: solvers
--
-- The source launches 16 blocks of n / 16 threads. The order of the rows takes as many sweeps on any machine.
-- facts
WITH launched AS (
    SELECT *, n / tile AS blocks FROM compared
    WHERE problem = 'seidel' AND chaotic AND side = 'GPU' AND sweeps IS NULL AND omega = 1 AND tile > 0
      AND n = 16 * tile),
found AS (
    SELECT l.*, w.iterations AS base_sweeps,
           coalesce((SELECT median(j.iterations) FROM compared j
                     WHERE j.host = l.host AND j.problem = 'jacobi' AND j.n = l.n AND j.precision = l.precision
                       AND j.omega = 1 AND j.sweeps IS NULL),
                    (SELECT (e.iterations_low + e.iterations_high) / 2.0 FROM expected e
                     WHERE e.problem = 'jacobi' AND e.omega = 1 AND e.n = l.n AND e.precision = l.precision)) AS jacobi,
           f.iterations AS fresh, f.idea AS fresh_idea,
           row_number() OVER (PARTITION BY l.host, l.experiment ORDER BY l.n DESC) AS turn
    FROM launched l
    JOIN launched f ON f.host = l.host AND f.experiment = l.experiment AND f.task = l.task AND f.tile = l.tile
      AND f.idea = 'cuda-racy-fresh'
    JOIN compared w ON w.host = l.host AND w.experiment = l.experiment AND w.variant = 'seidel/seq' AND w.n = l.n
      AND w.precision = l.precision AND w.omega = 1 AND w.sweeps IS NULL
    WHERE l.idea = 'cuda-racy')
SELECT host, experiment, idea, n, blocks, tile, grouped(iterations) AS sweeps,
       grouped(CAST(jacobi AS INTEGER)) AS jacobi,
       sig(100 * iterations / jacobi) AS share, fresh, fresh_idea, base_sweeps
FROM found WHERE turn = 1 AND jacobi > 0 ORDER BY host_ord, study_ord;
