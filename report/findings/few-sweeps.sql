-- Why does Gauss–Seidel take few sweeps at every size? SPDX-License-Identifier: MIT
-- asks.ru: Почему методу Гаусса--Зейделя при любом размере хватает немногих итераций
-- says: Gauss--Seidel in the order of the rows takes \range{least}{most}~sweeps from $n = \fact{least_n}$ to $n =
--   \fact{n}$\iffact{low}{; theory expects \range{low}{high}}. \iffact{radius}{The spectral radius of its iteration
--   is \range{least_radius}{radius} at every $n$: a factor of ten takes \fact{by_radius}~sweeps\iffact{decade}{
--   (measured: \fact{decade})}.}\when{right}{1}{ The
--   count that the source took for a defect is right.}
-- says.ru: Метод Гаусса--Зейделя в порядке строк требует
--   \range{least}{most}~\forms{most}{итерацию}{итерации}{итераций} от $n = \fact{least_n}$ до $n =
--   \fact{n}$\iffact{low}{; по теории \range{low}{high}}. \iffact{radius}{Спектральный радиус итерации
--   \range{least_radius}{radius} при любом $n$: уменьшение невязки в десять раз требует \fact{by_radius}
--   итерации\iffact{decade}{ (измерено: \fact{decade})}.}\when{right}{1}{
--   Число, принятое в источнике за ошибку, верно.}
-- rank: 6
-- chapter: solvers
-- facts
WITH counted AS (
    SELECT c.host, c.host_ord, c.experiment, c.study_ord, c.precision, min(c.n) AS least_n, max(c.n) AS n,
           min(s.least) AS least, max(s.most) AS most, min(c.radius) AS least_radius, max(c.radius) AS radius,
           row_number() OVER (PARTITION BY c.host, c.precision
                              ORDER BY c.experiment <> 'granular-seidel', min(c.study_ord)) AS turn
    FROM compared c JOIN solves s USING (host, experiment, cell)
    WHERE c.problem = 'seidel' AND c.omega = 1 AND NOT c.chaotic
    GROUP BY c.host, c.experiment, c.precision),
decade AS (
    SELECT c.host, c.experiment, c.precision, c.variant, max(c.n) AS n, d.decade_sweeps AS sweeps
    FROM compared c JOIN decades d USING (host, experiment, cell) WHERE c.variant = 'seidel/seq'
    GROUP BY c.host, c.experiment, c.precision),
window AS (
    SELECT precision, min(iterations_low) AS low, max(iterations_high) AS high FROM expected
    WHERE problem = 'seidel' AND omega = 1 GROUP BY precision)
SELECT c.host, c.experiment, c.least, c.most, c.least_n, c.n, w.low, w.high, sig(c.least_radius, 2) AS least_radius,
       sig(c.radius, 2) AS radius, sig(-1 / log10(c.radius), 3) AS by_radius, sig(d.sweeps, 3) AS decade,
       d.n AS decade_n, d.variant AS decade_variant,
       iif(c.host_ord > min(c.host_ord) OVER (), 1, NULL) AS minor, -- a count of sweeps is no matter of the machine
       iif(c.least >= w.low AND c.most <= w.high AND c.experiment = 'granular-seidel', 1, 0) AS right
FROM counted c LEFT JOIN window w USING (precision) LEFT JOIN decade d USING (host, experiment, precision)
WHERE c.turn = 1
ORDER BY c.host_ord, c.experiment <> 'granular-seidel', c.study_ord, c.precision;
