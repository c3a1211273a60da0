-- Time to solution of each iterative method over n, a panel for each place. SPDX-License-Identifier: MIT
-- title: Time to solution
-- title.ru: Время решения
-- problems: jacobi seidel
-- needs: ../report/solution-homes.sql
-- caption: Time until the residual is small enough, of the fastest variant of each method\each{. \hostbrief{}, $n =
--   \fact{n}$: the least is \fact{time}, of \fact{method} (\fact{where})}
-- caption.ru: Время до малой невязки, самый быстрый вариант каждого метода\each{. \hostbrief{}, $n = \fact{n}$:
--   наименьшее — \fact{time} (\fact{method}, \fact{where})}
--
-- All times of a size are of one physical machine, and all of the precision that most times have.
CREATE TEMP TABLE point AS
SELECT * FROM timed
WHERE machine = home AND precision = (SELECT precision FROM timed GROUP BY precision
                                      ORDER BY count(*) DESC, precision DESC LIMIT 1);

-- name: curves
SELECT replace(method, '-', '–') AS curve,
       CASE method WHEN 'Gauss-Seidel' THEN 80 WHEN 'Jacobi' THEN 81 ELSE 82 END AS curve_style,
       0 AS curve_dash, (SELECT count(DISTINCT o.spot) FROM point o WHERE o.spot <= p.spot) AS panel, n, s AS y,
       coalesce(lo_s, s) AS low, coalesce(hi_s, s) AS high, flagged
FROM point p ORDER BY curve_style, panel, n;

-- name: panels
SELECT place AS curve, spot FROM point GROUP BY spot ORDER BY spot;

-- scalars
SELECT min(s) AS y_least, max(s) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM point ORDER BY n)) AS sizes
FROM point;

-- facts
SELECT :host AS host, place AS "where", n, replace(method, '-', '–') AS method,
       marked(si(s, 's'), flagged) AS time FROM point
WHERE n = (SELECT n FROM point GROUP BY n HAVING count(DISTINCT method) > 1 ORDER BY n DESC LIMIT 1)
ORDER BY s LIMIT 1;
