-- Time to solution of each iterative method, on one core, all cores and the GPU. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- caption: Time to solution\each{. \hostbrief{}, $n = \fact{n}$: Gauss--Seidel takes \fact{seidel}~sweeps, Jacobi
--   \fact{jacobi}\iffact{weighted}{, and \fact{weighted} with $\omega=\mbox{\fact{omega}}$}}. \emph{/ Seidel} is in
--   brackets where no study has both
-- caption.ru: Время решения\each{. \hostbrief{}, $n = \fact{n}$: итераций у Гаусса--Зейделя \fact{seidel}, у Якоби
--   \fact{jacobi}\iffact{weighted}{, с $\omega=\mbox{\fact{omega}}$ — \fact{weighted}}}. \emph{/~Зейдель} в скобках —
--   из разных исследований
--
CREATE TEMP TABLE here AS
SELECT *, CASE place WHEN 'one core' THEN 1 WHEN 'all cores' THEN 2 WHEN 'GPU' THEN 3 ELSE 4 END AS spot
FROM solutions
WHERE host = :host AND machine IN (SELECT machine FROM good)
  AND n IN (SELECT n FROM good WHERE solver AND sweeps IS NULL);

-- group
-- align: rllrrrrr
WITH measured AS (
    SELECT machine, n, precision, row_number() OVER (PARTITION BY n, precision ORDER BY count(*) DESC, machine) AS turn
    FROM here GROUP BY machine, n, precision),
-- Of the machines of the kind, the one that has most of the times of a size.
point AS (
    SELECT machine, n, precision, place, spot, max(threads) AS threads
    FROM here JOIN measured USING (machine, n, precision) WHERE turn = 1 GROUP BY machine, n, precision, place)
SELECT p.n AS "n", p.place || iif(p.threads > 1, ' × ' || p.threads, '') AS "Where",
       iif((SELECT count(DISTINCT precision) FROM here) > 1, p.precision, NULL) AS "Type",
       marked(si(g.s, 's'), g.flagged) AS "Gauss-Seidel", marked(si(w.s, 's'), w.flagged) AS "Weighted Jacobi",
       iif(w.experiment <> g.experiment, '(' || marked(ratio(w.span, g.span), w.flagged, g.flagged) || ')',
           marked(ratio(w.span, g.span), w.flagged, g.flagged)) AS "/ Seidel",
       marked(si(j.s, 's'), j.flagged) AS "Jacobi",
       iif(j.experiment <> g.experiment, '(' || marked(ratio(j.span, g.span), j.flagged, g.flagged) || ')',
           marked(ratio(j.span, g.span), j.flagged, g.flagged)) AS "/ Seidel"
FROM point p
LEFT JOIN here g ON (g.machine, g.n, g.precision, g.place) = (p.machine, p.n, p.precision, p.place)
  AND g.method = 'Gauss-Seidel'
LEFT JOIN here w ON (w.machine, w.n, w.precision, w.place) = (p.machine, p.n, p.precision, p.place)
  AND w.method = 'weighted Jacobi'
LEFT JOIN here j ON (j.machine, j.n, j.precision, j.place) = (p.machine, p.n, p.precision, p.place)
  AND j.method = 'Jacobi'
WHERE p.n IN ((SELECT min(n) FROM here), (SELECT max(n) FROM here))
ORDER BY p.n, p.precision, p.spot;

-- facts
SELECT :host AS host, n, max(iif(method = 'Gauss-Seidel', iterations, NULL)) AS seidel,
       max(iif(method = 'Jacobi', grouped(iterations), NULL)) AS jacobi,
       max(iif(method = 'weighted Jacobi', iterations, NULL)) AS weighted,
       max(iif(method = 'weighted Jacobi', fraction(omega), NULL)) AS omega
FROM here WHERE place = 'one core' AND n = (SELECT max(n) FROM here WHERE place = 'one core')
GROUP BY n HAVING seidel IS NOT NULL AND jacobi IS NOT NULL;
