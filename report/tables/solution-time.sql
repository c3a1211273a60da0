-- Time to solution of each iterative method, on one core, all cores and the GPU. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- caption: Time to solution\each{\iffact{n}{. \hostbrief{}, $n = \fact{n}$: Gauss--Seidel takes \fact{seidel}~sweeps,
--   Jacobi \fact{jacobi}\iffact{weighted}{, and \fact{weighted} with
--   $\omega=\mbox{\fact{omega}}$}}}\anyfact{bracketed}{. In brackets: a time of another physical machine of the host,
--   and \emph{/ Seidel} of two studies}
-- caption.ru: Время решения\each{\iffact{n}{. \hostbrief{}, $n = \fact{n}$: итераций у Гаусса--Зейделя \fact{seidel}, у
--   Якоби \fact{jacobi}\iffact{weighted}{, с $\omega=\mbox{\fact{omega}}$ — \fact{weighted}}}}\anyfact{bracketed}{. В
--   скобках: время на другой физической машине, \emph{/~Зейдель} из разных исследований}
--
CREATE TEMP TABLE here AS
SELECT *, CASE place WHEN 'one core' THEN 1 WHEN 'all cores' THEN 2 WHEN 'GPU' THEN 3 ELSE 4 END AS spot
FROM solutions WHERE host = :host AND n IN (SELECT n FROM good WHERE solver AND sweeps IS NULL);

CREATE TEMP TABLE paired AS
WITH home AS (
    SELECT machine, n, precision,
           row_number() OVER (PARTITION BY n, precision
                              ORDER BY count(*) DESC, machine IN (SELECT machine FROM good) DESC, machine) AS turn
    FROM here GROUP BY machine, n, precision),
-- The machine that has most of the times of a size comes first, and among equals one of the study. A time of another
-- one is in brackets.
told AS (
    SELECT h.*, marked(iif(h.machine = m.machine, si(h.s, 's'), '(' || si(h.s, 's') || ')'), h.flagged) AS time,
           m.machine AS home,
           row_number() OVER (PARTITION BY h.n, h.precision, h.place, h.method
                              ORDER BY h.machine <> m.machine, h.weak IS NOT NULL, h.s) AS turn
    FROM here h JOIN home m ON m.n = h.n AND m.precision = h.precision AND m.turn = 1),
shown AS (SELECT * FROM told WHERE turn = 1 AND n IN ((SELECT min(n) FROM here), (SELECT max(n) FROM here)))
SELECT j.*, j.machine <> j.home OR j.experiment <> g.experiment AND ratio(j.span, g.span) IS NOT NULL AS bracketed,
       iif(j.experiment <> g.experiment, '(' || marked(ratio(j.span, g.span), j.flagged, g.flagged) || ')',
           marked(ratio(j.span, g.span), j.flagged, g.flagged)) AS ratio
FROM shown j LEFT JOIN shown g ON (g.machine, g.n, g.precision, g.place) = (j.machine, j.n, j.precision, j.place)
  AND g.method = 'Gauss-Seidel';

-- group
-- align: rllrrrrr
SELECT n AS "n", place || iif(max(threads) > 1, ' × ' || max(threads), '') AS "Where",
       iif((SELECT count(DISTINCT precision) FROM here) > 1, precision, NULL) AS "Type",
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
    FROM here WHERE place = 'one core' AND n = (SELECT max(n) FROM here WHERE place = 'one core')
    GROUP BY n HAVING seidel IS NOT NULL AND jacobi IS NOT NULL)
SELECT :host AS host, c.n, c.seidel, c.jacobi, c.weighted, c.omega, b.bracketed
FROM (SELECT nullif(max(bracketed), 0) AS bracketed FROM paired) b LEFT JOIN counted c
WHERE c.n IS NOT NULL OR b.bracketed;
