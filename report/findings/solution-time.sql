-- Jacobi or Gauss-Seidel? SPDX-License-Identifier: MIT
-- asks.ru: Якоби или Гаусс--Зейдель
-- says: To the same residual at $n = \fact{n}$ (\fact{precision}), Jacobi with its best weight
--   ($\omega=\mbox{\fact{omega}}$) takes \ratio[one_]{} times the time of Gauss--Seidel on one
--   core\judged[one_]\iffact{all_ratio}{, \ratio[all_]{} times on all cores\judged[all_]}\iffact{gpu_ratio}{,
--   \ratio[gpu_]{} times on the GPU\judged[gpu_]}\iffact{copies_ratio}{ and \ratio[copies_]{} times there with the
--   copies\judged[copies_]}\iffact{plain}{; without a weight it takes \fact{plain} times on one
--   core}\when{verdict}{undecided}{; no ratio here is decided}.
-- says.ru: До той же невязки при $n = \fact{n}$ (\fact{precision}) время метода Якоби с лучшим весом
--   ($\omega=\mbox{\fact{omega}}$) относительно Гаусса--Зейделя: на одном ядре
--   \ratio[one_]\judged[one_]\iffact{all_ratio}{, на всех ядрах \ratio[all_]\judged[all_]}\iffact{gpu_ratio}{, на GPU
--   \ratio[gpu_]\judged[gpu_]}\iffact{copies_ratio}{, там же с копированием
--   \ratio[copies_]\judged[copies_]}\iffact{plain}{; без веса на одном ядре — \fact{plain}}\when{verdict}{undecided}{;
--   ни одно отношение не решено}.
-- lacks: No machine ran both methods until they converged, at one size and on one core.
-- lacks.ru: Ни на одной машине оба метода не доведены до сходимости при одном размере и на одном ядре.
-- rank: 4
-- answer: 9
-- chapter: solvers
--
-- The times are the least of all variants of a method, from all studies on one physical machine: report/cells.sql.
-- facts
WITH shown AS (
    SELECT s.*, a.ord AS host_ord FROM solutions s JOIN about a USING (host)
    WHERE s.host IN (SELECT host FROM shown_cell WHERE solver AND sweeps IS NULL)),
weighted AS (
    SELECT *, row_number() OVER (PARTITION BY host, machine, n, precision, place ORDER BY single, s) AS turn
    FROM shown WHERE method <> 'Gauss-Seidel'),
pair AS (
    SELECT j.host, j.host_ord, j.machine, j.n, j.precision, j.place, j.omega, j.variant, g.variant AS base,
           j.s / g.s AS x, ratio_low(j.span, g.span) AS x_low, ratio_high(j.span, g.span) AS x_high,
           all_flags(j.flagged, g.flagged) AS flagged, coalesce(j.weak, g.weak) AS weak
    FROM weighted j JOIN shown g USING (host, machine, n, precision, place)
    WHERE j.turn = 1 AND g.method = 'Gauss-Seidel'),
judged AS (
    SELECT *, verdict(x, x_low, x_high, weak) AS verdict, row_number() OVER (PARTITION BY host, place
                                                                           ORDER BY n DESC, precision DESC, machine)
             AS turn
    FROM pair),
largest AS (SELECT * FROM judged WHERE place = 'one core' AND turn = 1),
-- The ratios of this size in each place. `open`: none of them is decided, which is said once.
here AS (
    SELECT j.*, min(j.verdict IN ('undecided', 'single')) OVER (PARTITION BY j.host) AS open
    FROM judged j JOIN largest l USING (host, machine, n, precision))
SELECT o.host,
       (SELECT c.experiment FROM shown_cell c LEFT JOIN tables t
          ON t.host = c.host AND t.experiment = c.experiment AND t.name = 'solution-time'
        WHERE c.host = o.host AND c.solver AND c.sweeps IS NULL ORDER BY t.name IS NULL, c.study_ord LIMIT 1)
         AS experiment,
       o.variant, o.base, o.n, o.precision, fraction(o.omega) AS omega,
       iif(o.open, 'undecided', 'decided') AS verdict, ratio(o.x) AS one_ratio, ratio(o.x_low) AS one_low,
       ratio(o.x_high) AS one_high, o.flagged AS one_flagged, iif(o.open, NULL, o.verdict) AS one_verdict,
       ratio(c.x) AS all_ratio, ratio(c.x_low) AS all_low, ratio(c.x_high) AS all_high, c.flagged AS all_flagged,
       iif(o.open, NULL, c.verdict) AS all_verdict, ratio(g.x) AS gpu_ratio, ratio(g.x_low) AS gpu_low,
       ratio(g.x_high) AS gpu_high, g.flagged AS gpu_flagged, iif(o.open, NULL, g.verdict) AS gpu_verdict,
       ratio(t.x) AS copies_ratio, ratio(t.x_low) AS copies_low, ratio(t.x_high) AS copies_high,
       t.flagged AS copies_flagged, iif(o.open, NULL, t.verdict) AS copies_verdict,
       (SELECT marked(ratio(p.s / e.s), p.flagged, e.flagged)
        FROM shown p JOIN shown e USING (host, machine, n, precision, place)
        WHERE p.host = o.host AND p.machine = o.machine AND p.n = o.n AND p.precision = o.precision
          AND p.place = 'one core' AND p.method = 'Jacobi' AND e.method = 'Gauss-Seidel' AND o.omega <> 1) AS plain
FROM here o
LEFT JOIN here c ON c.host = o.host AND c.place = 'all cores'
LEFT JOIN here g ON g.host = o.host AND g.place = 'GPU'
LEFT JOIN here t ON t.host = o.host AND t.place = 'GPU with copies'
WHERE o.place = 'one core' ORDER BY o.host_ord;
