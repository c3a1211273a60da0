-- Time to solution of each iterative method, on one core, all cores and the GPU. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- needs: ../solution-homes.sql
-- caption: Time to solution of the fastest program in each place\each{\iffact{n}{. \hostbrief{}, $n = \fact{n}$:
--   Gauss--Seidel takes \fact{seidel}~sweeps, Jacobi \fact{jacobi}\iffact{weighted}{, and \fact{weighted} with
--   $\omega=\mbox{\fact{omega}}$}}}\anyfact{bracketed}{. In brackets: a time of another physical machine of the host,
--   and \emph{/ Seidel} of two studies}
-- caption.ru: Время решения самой быстрой программы в каждом случае\each{\iffact{n}{. \hostbrief{}, $n = \fact{n}$:
--   итераций у Гаусса--Зейделя \fact{seidel}, у Якоби \fact{jacobi}\iffact{weighted}{, с $\omega=\mbox{\fact{omega}}$
--   — \fact{weighted}}}}\anyfact{bracketed}{. В скобках: время на другой физической машине, \emph{/~Зейдель} из
--   разных исследований}
--
CREATE TEMP TABLE paired AS
WITH shown AS (
    SELECT *, marked(iif(machine = home, si(s, 's'), '(' || si(s, 's') || ')'), flagged) AS time
    FROM timed WHERE n IN ((SELECT min(n) FROM timed), (SELECT max(n) FROM timed)))
SELECT j.*, j.machine <> j.home OR j.experiment <> g.experiment AND ratio(j.span, g.span) IS NOT NULL AS bracketed,
       iif(j.experiment <> g.experiment, '(' || marked(ratio(j.span, g.span), j.flagged, g.flagged) || ')',
           marked(ratio(j.span, g.span), j.flagged, g.flagged)) AS ratio
FROM shown j LEFT JOIN shown g ON (g.machine, g.n, g.precision, g.place) = (j.machine, j.n, j.precision, j.place)
  AND g.method = 'Gauss-Seidel';

-- group
-- align: rllrrrrr
SELECT n AS "n", place || iif(max(threads) > 1, ' × ' || max(threads), '') AS "Where",
       iif((SELECT count(DISTINCT precision) FROM timed) > 1, precision, NULL) AS "Type",
       max(time) FILTER (WHERE method = 'Gauss-Seidel') AS "Gauss–Seidel",
       max(time) FILTER (WHERE method = 'weighted Jacobi') AS "Weighted Jacobi",
       max(ratio) FILTER (WHERE method = 'weighted Jacobi') AS "/ Seidel",
       max(time) FILTER (WHERE method = 'Jacobi') AS "Jacobi",
       max(ratio) FILTER (WHERE method = 'Jacobi') AS "/ Seidel"
FROM paired GROUP BY n, precision, place ORDER BY n, precision, min(spot);

-- facts
WITH counted AS (
    SELECT n, max(iif(method = 'Gauss-Seidel', iterations, NULL)) AS seidel,
           max(iif(method = 'Jacobi', grouped(iterations), NULL)) AS jacobi,
           max(iif(method = 'weighted Jacobi', iterations, NULL)) AS weighted,
           max(iif(method = 'weighted Jacobi', fraction(omega), NULL)) AS omega
    FROM timed WHERE place = 'one core' AND n = (SELECT max(n) FROM timed WHERE place = 'one core')
    GROUP BY n HAVING seidel IS NOT NULL AND jacobi IS NOT NULL)
SELECT :host AS host, c.n, c.seidel, c.jacobi, c.weighted, c.omega, b.bracketed
FROM (SELECT nullif(max(bracketed), 0) AS bracketed FROM paired) b LEFT JOIN counted c
WHERE c.n IS NOT NULL OR b.bracketed;
