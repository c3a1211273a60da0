-- Does chaotic relaxation pay? SPDX-License-Identifier: MIT
-- asks.ru: Окупается ли хаотическая релаксация
-- says: Without an order \code{idea} takes \range{least}{most}~sweeps at $n = \fact{n}$\iffact{tile}{
--   (blocks of \range{least_tile}{tile}~threads)}\iffact{runs}{ over \fact{runs}~runs}, where the order of the rows
--   takes \range{order_least}{order_most}\iffact{share}{; at the median these are \range{least_share}{share}\,\% of
--   Jacobi's\whennot{measured}{1}{, by its expected window}}.\iffact{ratio}{ The
--   fastest of them \speed{} \code{base}, which keeps the order\judged.}
-- says.ru: Без порядка \code{idea} при $n = \fact{n}$ делает\iffact{runs}{ за
--   \fact{runs}~\forms{runs}{запуск}{запуска}{запусков} по}
--   \range{least}{most}~\forms{most}{итерации}{итерации}{итераций}\iffact{tile}{ (потоков в блоке:
--   \range{least_tile}{tile})}; в порядке строк — \range{order_least}{order_most}\iffact{share}{. Медиана —
--   \range{least_share}{share}\,\% числа итераций Якоби\whennot{measured}{1}{ по ожидаемому окну}}.\iffact{ratio}{
--   Самый быстрый из этих запусков \speed{} \code{base}\judged.}
-- rank: 15
-- chapter: solvers
-- facts
WITH run AS (
    SELECT c.*, s.least, s.middle, s.most, s.runs,
           max(c.n) OVER (PARTITION BY c.host, c.experiment, c.variant) AS most_n
    FROM compared c JOIN solves s USING (host, experiment, cell)
    WHERE c.problem = 'seidel' AND c.chaotic AND c.omega = 1),
ordered AS (
    SELECT c.host, c.experiment, c.n, c.precision, min(s.least) AS least, max(s.most) AS most,
           median(s.middle) AS middle
    FROM compared c JOIN solves s USING (host, experiment, cell)
    WHERE c.problem = 'seidel' AND NOT c.chaotic AND c.omega = 1 GROUP BY 1, 2, 3, 4),
found AS (
    SELECT r.host, r.host_ord, r.experiment, r.study_ord, r.variant, r.idea, r.side, r.n, r.precision,
           min(r.least) AS least, max(r.most) AS most, sum(r.runs) AS runs, min(r.tile) AS least_tile,
           max(r.tile) AS tile,
           o.least AS order_least, o.most AS order_most, min(200.0 * r.middle / (j.least + j.most)) AS least_share,
           max(200.0 * r.middle / (j.least + j.most)) AS share, j.measured
    FROM run r JOIN ordered o USING (host, experiment, n, precision)
    LEFT JOIN jacobi_sweeps j USING (host, n, precision)
    WHERE r.n = r.most_n GROUP BY r.host, r.experiment, r.variant, r.precision),
speed AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, variant, n, precision
                                 ORDER BY coalesce(threads, 0) DESC, x DESC) AS turn
    FROM versus WHERE problem = 'seidel' AND chaotic AND base IN ('omp-exact', 'cuda-exact') AND base_side = side
      AND sweeps IS NULL AND threads IS base_threads)
SELECT f.host, f.side, f.experiment, f.idea, f.n, grouped(f.least) AS least, grouped(f.most) AS most,
       f.least_tile, f.tile, f.order_least, f.order_most, sig(f.least_share) AS least_share,
       sig(f.share) AS share, f.measured, v.base, v.ratio, v.low, v.high, v.verdict, v.flagged, v.cost_ratio,
       v.cost_low,
       v.cost_high, v.cost_flagged, v.slower, iif(f.runs > 1, f.runs, NULL) AS runs
FROM found f LEFT JOIN speed v ON v.host = f.host AND v.experiment = f.experiment AND v.variant = f.variant
  AND v.n = f.n AND v.precision = f.precision AND v.turn = 1
  AND v.verdict NOT IN ('undecided', 'single')
ORDER BY f.host_ord, f.side DESC, f.study_ord, v.x IS NULL, v.x_low IS NULL, v.x DESC, f.idea;
