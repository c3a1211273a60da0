-- Time to solution of each iterative method over n, a panel for each place. SPDX-License-Identifier: MIT
-- title: Time to solution
-- title.ru: Время решения
-- problems: jacobi seidel
-- caption: Time until the residual is small enough, of the fastest variant of each method\each{. \hostbrief{}, $n =
--   \fact{n}$: the least is \fact{time}, of \fact{method} (\fact{where})}
-- caption.ru: Время до малой невязки, самый быстрый вариант каждого метода\each{. \hostbrief{}, $n = \fact{n}$:
--   наименьшее — \fact{time} (\fact{method}, \fact{where})}
--
-- All times of a size are of one physical machine: of the one that has most of them, and among equals of one of the
-- study, as in the table of these times.
CREATE TEMP TABLE point AS
WITH here AS (
    SELECT *, CASE place WHEN 'one core' THEN 1 WHEN 'all cores' THEN 2 WHEN 'GPU' THEN 3 ELSE 4 END AS spot
    FROM solutions WHERE host = :host AND n IN (SELECT n FROM good WHERE solver AND sweeps IS NULL)),
main AS (SELECT precision FROM here GROUP BY precision ORDER BY count(*) DESC, precision DESC LIMIT 1),
home AS (
    SELECT machine, n, precision,
           row_number() OVER (PARTITION BY n
                              ORDER BY count(*) DESC, machine IN (SELECT machine FROM good) DESC, machine) AS turn
    FROM here JOIN main USING (precision) GROUP BY machine, n)
SELECT h.*, row_number() OVER (PARTITION BY h.n, h.place, h.method ORDER BY h.weak IS NOT NULL, h.s) AS turn
FROM here h JOIN home m ON m.turn = 1 AND (m.machine, m.n, m.precision) = (h.machine, h.n, h.precision);
DELETE FROM point WHERE turn > 1;

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
