-- Jacobi or Gauss–Seidel? SPDX-License-Identifier: MIT
-- asks.ru: Якоби или Гаусс--Зейдель
-- says: To the same residual at $n = \fact{n}$ (\fact{precision}) the faster method is: \iffact{one_ratio}{on one
--   core\iffact{one_omega}{ ($\omega=\mbox{\fact{one_omega}}$)}
--   \when{one_winner}{seidel}{Gauss--Seidel}\when{one_winner}{jacobi}{Jacobi}, by a factor of
--   \ratio[one_]{}\judged[one_]}\iffact{all_ratio}{\iffact{all_after}{; }on all cores\iffact{all_omega}{
--   ($\omega=\mbox{\fact{all_omega}}$)} \when{all_winner}{seidel}{Gauss--Seidel}\when{all_winner}{jacobi}{Jacobi},
--   by a factor of
--   \ratio[all_]{}\judged[all_]}\iffact{gpu_ratio}{\iffact{gpu_after}{; }on the GPU\iffact{gpu_omega}{
--   ($\omega=\mbox{\fact{gpu_omega}}$)} \when{gpu_winner}{seidel}{Gauss--Seidel}\when{gpu_winner}{jacobi}{Jacobi},
--   by a factor of
--   \ratio[gpu_]{}\judged[gpu_]}\iffact{copies_ratio}{\iffact{copies_after}{; }on the GPU with the
--   copies\iffact{copies_omega}{ ($\omega=\mbox{\fact{copies_omega}}$)}
--   \when{copies_winner}{seidel}{Gauss--Seidel}\when{copies_winner}{jacobi}{Jacobi}, by a factor of
--   \ratio[copies_]{}\judged[copies_]}. Each place has its own fastest programs, Jacobi with its best
--   weight\iffact{omega}{ ($\omega=\mbox{\fact{omega}}$)}\iffact{plain_ratio}{; without a weight, Jacobi takes
--   \ratio[plain_]{} times the time of Gauss--Seidel on one core\judged[plain_]}\iffact{crossed}{; \fact{crossed} of
--   these ratios \plural{crossed}{compares}{compare} times of different studies}\when{verdict}{undecided}{; no ratio
--   here is decided}.
-- says.ru: До той же невязки при $n = \fact{n}$ (\fact{precision}) быстрее: \iffact{one_ratio}{на одном
--   ядре\iffact{one_omega}{ ($\omega=\mbox{\fact{one_omega}}$)} \when{one_winner}{seidel}{—
--   Гаусс--Зейдель}\when{one_winner}{jacobi}{— Якоби}, в
--   \ratio[one_]{\forms{one_ratio}{раз}{раза}{раз}}\judged[one_]}\iffact{all_ratio}{\iffact{all_after}{; }на всех
--   ядрах\iffact{all_omega}{ ($\omega=\mbox{\fact{all_omega}}$)} \when{all_winner}{seidel}{—
--   Гаусс--Зейдель}\when{all_winner}{jacobi}{— Якоби}, в
--   \ratio[all_]{\forms{all_ratio}{раз}{раза}{раз}}\judged[all_]}\iffact{gpu_ratio}{\iffact{gpu_after}{; }на
--   GPU\iffact{gpu_omega}{ ($\omega=\mbox{\fact{gpu_omega}}$)} \when{gpu_winner}{seidel}{—
--   Гаусс--Зейдель}\when{gpu_winner}{jacobi}{— Якоби}, в
--   \ratio[gpu_]{\forms{gpu_ratio}{раз}{раза}{раз}}\judged[gpu_]}\iffact{copies_ratio}{\iffact{copies_after}{; }на GPU
--   с копированием\iffact{copies_omega}{ ($\omega=\mbox{\fact{copies_omega}}$)} \when{copies_winner}{seidel}{—
--   Гаусс--Зейдель}\when{copies_winner}{jacobi}{— Якоби}, в
--   \ratio[copies_]{\forms{copies_ratio}{раз}{раза}{раз}}\judged[copies_]}. В каждом случае — самые быстрые свои
--   программы, Якоби — с лучшим весом\iffact{omega}{ ($\omega=\mbox{\fact{omega}}$)}\iffact{plain_ratio}{; без веса
--   Якоби на одном ядре медленнее Гаусса--Зейделя в
--   \ratio[plain_]{\forms{plain_ratio}{раз}{раза}{раз}}\judged[plain_]}\iffact{crossed}{; отношений времён из разных
--   исследований: \fact{crossed}}\when{verdict}{undecided}{; ни одно различие не установлено}.
-- lacks: No machine ran both methods until they converged at one size.
-- lacks.ru: Ни на одной машине оба метода не доведены до сходимости при одном размере.
-- rank: 4
-- answer: 9
-- evidence: table solution-time, figure solution-by-n
-- chapter: solvers
--
-- Each place has its own best weight. Two times of one study make a verdict; report/cells.sql has the times.
-- facts
WITH shown AS (
    SELECT s.*, a.ord AS host_ord FROM solutions s JOIN about a USING (host)
    WHERE s.host IN (SELECT host FROM shown_cell WHERE solver AND sweeps IS NULL)),
compared_pair AS (
    SELECT j.host, j.host_ord, j.machine, j.n, j.precision, j.place, j.method, j.omega, j.variant, g.variant AS base,
           j.s / g.s AS x, ratio_low(j.span, g.span) AS x_low, ratio_high(j.span, g.span) AS x_high,
           all_flags(j.flagged, g.flagged) AS flagged, iif(j.experiment = g.experiment, NULL, 1) AS apart,
           coalesce(j.weak, g.weak, iif(j.experiment = g.experiment, NULL, 'two studies')) AS weak,
           row_number() OVER (PARTITION BY j.host, j.machine, j.n, j.precision, j.place
                              ORDER BY j.experiment <> g.experiment, j.single, j.s) AS turn
    FROM shown j JOIN shown g USING (host, machine, n, precision, place)
    WHERE j.method <> 'Gauss-Seidel' AND g.method = 'Gauss-Seidel'),
sized AS (
    SELECT *, verdict(1 / x, 1 / x_high, 1 / x_low, weak) AS verdict,
           is_large(n, max(n) OVER (PARTITION BY host, place)) AS large
    FROM compared_pair WHERE turn = 1),
-- The ratios of one size on one machine in each place: the largest at which the times on one core may give a verdict.
judged AS (
    SELECT *, first_value(machine || ' ' || n || ' ' || precision)
                OVER (PARTITION BY host ORDER BY place <> 'one core', x_low IS NULL, NOT large, weak IS NOT NULL,
                                                 n DESC, precision DESC, machine) AS point
    FROM sized),
-- `open`: no ratio is decided, which is said once. `omega`: the weight, if it is the same in all places.
here AS (
    SELECT *, min(verdict IN ('undecided', 'single')) OVER (PARTITION BY host) AS open,
           iif(min(omega) OVER (PARTITION BY host) = max(omega) OVER (PARTITION BY host), omega, NULL) AS all_omega,
           row_number() OVER (PARTITION BY host ORDER BY place <> 'one core', place) AS nth
    FROM judged WHERE point = machine || ' ' || n || ' ' || precision),
placed AS (
    SELECT *, iif(all_omega IS NULL, fraction(omega), NULL) AS own_omega, iif(open, NULL, verdict) AS told,
           iif(x < 1, 'jacobi', 'seidel') AS winner, ratio(iif(x < 1, 1 / x, x)) AS ratio,
           ratio(iif(x < 1, 1 / x_high, x_low)) AS low, ratio(iif(x < 1, 1 / x_low, x_high)) AS high
    FROM here),
-- Jacobi without a weight on one core, in a study that has both methods.
unweighted AS (
    SELECT p.host, p.machine, p.n, p.precision, p.s / e.s AS x, ratio_low(p.span, e.span) AS x_low,
           ratio_high(p.span, e.span) AS x_high, all_flags(p.flagged, e.flagged) AS flagged,
           coalesce(p.weak, e.weak) AS weak
    FROM shown p JOIN shown e USING (host, experiment, machine, n, precision, place)
    WHERE p.place = 'one core' AND p.method = 'Jacobi' AND e.method = 'Gauss-Seidel')
SELECT f.host,
       (SELECT c.experiment FROM shown_cell c LEFT JOIN tables t
          ON t.host = c.host AND t.experiment = c.experiment AND t.name = 'solution-time'
        WHERE c.host = f.host AND c.solver AND c.sweeps IS NULL ORDER BY t.name IS NULL, c.study_ord LIMIT 1)
         AS experiment,
       iif(g.ratio IS NULL, 'CPU', 'GPU') AS side, f.variant, f.base, f.n, f.precision, fraction(f.all_omega) AS omega,
       iif(f.open, 'undecided', 'decided') AS verdict,
       (SELECT nullif(count(p.apart), 0) FROM placed p WHERE p.host = f.host) AS crossed,
       o.winner AS one_winner, o.ratio AS one_ratio, o.low AS one_low, o.high AS one_high,
       o.flagged AS one_flagged, o.told AS one_verdict, o.own_omega AS one_omega,
       c.winner AS all_winner, c.ratio AS all_ratio, c.low AS all_low, c.high AS all_high,
       c.flagged AS all_flagged, c.told AS all_verdict, c.own_omega AS all_omega, o.ratio AS all_after,
       g.winner AS gpu_winner, g.ratio AS gpu_ratio, g.low AS gpu_low, g.high AS gpu_high,
       g.flagged AS gpu_flagged, g.told AS gpu_verdict, g.own_omega AS gpu_omega,
       coalesce(o.ratio, c.ratio) AS gpu_after,
       t.winner AS copies_winner, t.ratio AS copies_ratio, t.low AS copies_low, t.high AS copies_high,
       t.flagged AS copies_flagged, t.told AS copies_verdict, t.own_omega AS copies_omega,
       coalesce(o.ratio, c.ratio, g.ratio) AS copies_after,
       ratio(u.x) AS plain_ratio, ratio(u.x_low) AS plain_low, ratio(u.x_high) AS plain_high,
       u.flagged AS plain_flagged, verdict(u.x, u.x_low, u.x_high, u.weak) AS plain_verdict
FROM placed f
LEFT JOIN placed o ON o.host = f.host AND o.place = 'one core'
LEFT JOIN placed c ON c.host = f.host AND c.place = 'all cores'
LEFT JOIN placed g ON g.host = f.host AND g.place = 'GPU'
LEFT JOIN placed t ON t.host = f.host AND t.place = 'GPU with copies'
LEFT JOIN unweighted u ON u.host = o.host AND u.machine = o.machine AND u.n = o.n AND u.precision = o.precision
  AND o.method <> 'Jacobi'
WHERE f.nth = 1 ORDER BY f.host_ord;
