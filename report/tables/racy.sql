-- Sweeps of solvers without an order of the rows: least, median and most of their runs. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- caption: Sweeps of chaotic relaxation over the runs of each cell\each{. \hostbrief{}, $N = \fact{n}$: \code{idea} in
--   the source's launch takes \fact{share}\,\% of Jacobi's sweeps}
-- caption.ru: Число итераций хаотической релаксации по запускам, при запуске источника\each{. \hostbrief{}, $N =
--   \fact{n}$: \code{idea} — \fact{share}\,\% итераций Якоби}
--
-- group
WITH exact AS (SELECT n, precision, min(least) AS least, max(most) AS most FROM solved
               WHERE NOT chaotic AND problem = 'seidel' GROUP BY n, precision)
SELECT s.n AS "N", s.idea AS "Chaotic relaxation",
       coalesce(CAST(s.threads AS TEXT), ((s.n + s.tile - 1) / s.tile) || ' × ' || min(s.n, s.tile)) AS "Threads",
       s.runs AS "Runs",
       s.least AS "Least", marked(CAST(round(s.middle) AS INTEGER), iif(s.stale, flag('stale'), 0)) AS "Median",
       s.most AS "Most",
       e.least || iif(e.most > e.least, '..' || e.most, '') AS "in order",
       CAST(j.least AS INTEGER) || iif(j.most > j.least, '..' || CAST(j.most AS INTEGER), '') AS "Jacobi",
       sig(s.middle / ((e.least + e.most) / 2.0), 3) AS "x in order",
       sig(100 * s.middle / ((j.least + j.most) / 2.0)) AS "% of Jacobi"
FROM solved s JOIN exact e USING (n, precision) LEFT JOIN jacobi_here j USING (n, precision)
WHERE s.chaotic
ORDER BY s.n, s.ord, s.threads, s.tile;

-- facts
WITH last AS (
    SELECT s.*, j.least AS jacobi_least, j.most AS jacobi_most,
           row_number() OVER (PARTITION BY s.idea ORDER BY s.n DESC) AS turn
    FROM solved s JOIN jacobi_here j USING (n, precision) JOIN good g USING (cell)
    WHERE s.chaotic AND s.side = 'GPU' AND s.tile * 16 = s.n AND NOT coalesce(g.stale, 0))
SELECT :host AS host, idea, n, sig(100 * middle / ((jacobi_least + jacobi_most) / 2.0)) AS share
FROM last WHERE turn = 1 ORDER BY ord;
