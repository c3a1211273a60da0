-- Residual of a solver over its sweeps, a curve for each method and omega. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- title: Residual over the sweeps
-- title.ru: Невязка по итерациям
-- caption: Residual over the sweeps, until the dashed line\each{. \hostbrief{}, $n = \fact{n}$:\iffact{jacobi}{ Jacobi
--   \fact{jacobi}\iffact{weighted}{,}}\iffact{weighted}{ with $\omega = \fact{omega}$
--   \fact{weighted}}\iffact{seidel}{\iffact{jacobi}{,} Gauss--Seidel \fact{seidel}}}
-- caption.ru: Невязка по итерациям, до штриховой линии\each{. \hostbrief{}, $n = \fact{n}$:\iffact{jacobi}{ Якоби —
--   \fact{jacobi}\iffact{weighted}{,}}\iffact{weighted}{ с $\omega = \mbox{\fact{omega}}$ —
--   \fact{weighted}}\iffact{seidel}{\iffact{jacobi}{,} Гаусс--Зейдель — \fact{seidel}}}
--
-- Each method and omega shows the first variant of the ladder that has a history, at the largest n that all of them
-- solved. The style of a curve follows from its method and omega alone, so that it is the same on each host, whose
-- variants differ.
CREATE TEMP TABLE followed AS
SELECT g.cell, g.problem, g.omega, g.n, g.precision, g.ord
FROM good g
WHERE g.sweeps IS NULL AND g.precision = (SELECT max(precision) FROM good)
  AND EXISTS (SELECT 1 FROM history h WHERE h.host = g.host AND h.experiment = g.experiment AND h.cell = g.cell);

CREATE TEMP TABLE shown AS
WITH common AS (
    SELECT n FROM (SELECT DISTINCT n, problem, omega FROM followed) GROUP BY n
    HAVING count(*) = (SELECT count(*) FROM (SELECT DISTINCT problem, omega FROM followed)) ORDER BY n DESC LIMIT 1)
SELECT f.*, min(f.ord) AS least FROM followed f JOIN common USING (n) GROUP BY f.problem, f.omega;

-- name: curves
SELECT s.problem || ', ω = ' || fraction(s.omega) || ' (' || g.idea || ')' AS curve,
       CASE WHEN s.problem = 'seidel' THEN 80 WHEN s.omega = 1 THEN 81 ELSE 82 END AS curve_style,
       2 * (s.problem = 'seidel')
         + (SELECT count(DISTINCT o.omega) FROM cells o
            WHERE o.experiment = :experiment AND o.problem = s.problem AND o.sweeps IS NULL AND o.omega > s.omega)
         AS curve_dash,
       1 AS curve_level, h.sweep + 1 AS sweep, h.residual AS y
FROM shown s JOIN good g USING (cell)
JOIN history h ON h.host = g.host AND h.experiment = g.experiment AND h.cell = s.cell
WHERE h.residual > 0
ORDER BY s.ord, s.omega DESC, h.sweep;

-- scalars
SELECT min(h.residual) AS y_least, max(h.residual) AS y_most, max(h.sweep + 1) AS x_most, s.n AS size,
       (SELECT min(CAST(substr(stop, instr(stop, '<= ') + 3) AS REAL)) FROM expected e
        WHERE e.precision = s.precision) AS tolerance
FROM shown s JOIN history h ON h.host = :host AND h.experiment = :experiment AND h.cell = s.cell;

-- facts
SELECT :host AS host, max(s.n) AS n,
       grouped(max(iif(s.problem = 'jacobi' AND s.omega = 1, g.iterations, NULL))) AS jacobi,
       max(iif(s.problem = 'jacobi' AND s.omega <> 1, g.iterations, NULL)) AS weighted,
       fraction(max(iif(s.problem = 'jacobi' AND s.omega <> 1, s.omega, NULL))) AS omega,
       max(iif(s.problem = 'seidel', g.iterations, NULL)) AS seidel
FROM shown s JOIN good g USING (cell) HAVING count(*) > 0;
