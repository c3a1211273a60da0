-- Time to solution of each iterative method, on one core, all cores and the GPU. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- caption: Time until the residual is small enough: the fastest variant of each method, from all studies on one
--   machine. \emph{Sweeps} are those of one core. \emph{GPU with copies} contains upload and download.
--   \emph{/ Seidel} is the time over that of Gauss--Seidel in the same place
-- caption.ru: Время до достаточно малой невязки: самый быстрый вариант каждого метода из всех исследований на одной
--   машине. \emph{Итерации}~--- на одном ядре. \emph{GPU с копированием} включает загрузку и выгрузку.
--   \emph{/ Зейдель}~--- время относительно метода Гаусса--Зейделя в том же месте
--
-- group
-- align: rllrlrlrlrlrl
WITH here AS (
    SELECT * FROM solutions WHERE host = :host AND machine IN (SELECT machine FROM good)
      AND n IN (SELECT n FROM good WHERE solver AND sweeps IS NULL)),
beside AS (
    SELECT h.*, marked(si(h.s, 's'), h.flagged) AS time, marked(ratio(h.span, g.span), h.flagged, g.flagged) AS ratio
    FROM here h LEFT JOIN here g ON g.machine = h.machine AND g.n = h.n AND g.precision = h.precision
      AND g.place = h.place AND g.method = 'Gauss-Seidel' AND h.method <> 'Gauss-Seidel'),
point AS (SELECT DISTINCT machine, n, precision, method FROM here)
SELECT p.n AS "n", p.method AS "Method", p.precision AS "Type", o.iterations AS "Sweeps",
       o.time AS "One core", o.ratio AS "/ Seidel", a.time AS "All cores", a.ratio AS "/ Seidel",
       g.time AS "GPU", g.ratio AS "/ Seidel", c.time AS "GPU with copies", c.ratio AS "/ Seidel"
FROM point p
LEFT JOIN beside o ON (o.machine, o.n, o.precision, o.method, o.place)
                      = (p.machine, p.n, p.precision, p.method, 'one core')
LEFT JOIN beside a ON (a.machine, a.n, a.precision, a.method, a.place)
                      = (p.machine, p.n, p.precision, p.method, 'all cores')
LEFT JOIN beside g ON (g.machine, g.n, g.precision, g.method, g.place) = (p.machine, p.n, p.precision, p.method, 'GPU')
LEFT JOIN beside c ON (c.machine, c.n, c.precision, c.method, c.place)
                      = (p.machine, p.n, p.precision, p.method, 'GPU with copies')
ORDER BY p.n, p.precision, p.method;
