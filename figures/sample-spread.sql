-- Samples of the fastest own variant and of the library, relative to their medians. SPDX-License-Identifier: MIT
-- title: Samples of the headline cells
-- title.ru: Замеры главных ячеек
-- takes: library
-- caption: Samples of the fastest own variant and of the library over their medians\each{. \hostbrief{}: nine of ten
--   lie within \fact{within}\,\% in the widest cell, \code{idea}}
-- caption.ru: Замеры своего варианта и библиотеки относительно медиан; пределы девяти из десяти в самой широкой
--   ячейке\each{. \hostbrief{}: \fact{within}\,\% (\code{idea})}
--
CREATE TEMP TABLE shown AS
WITH placed AS (
    SELECT *, row_number() OVER (PARTITION BY problem, side, precision, contract
                                 ORDER BY n DESC, coalesce(threads, 0) DESC) AS turn
    FROM frontier),
lines AS (
    SELECT p.*, row_number() OVER (ORDER BY p.side, q.ord, p.problem, p.contract, p.precision) AS line
    FROM placed p JOIN (SELECT problem, min(ord) AS ord FROM good GROUP BY problem) q USING (problem)
    WHERE p.turn = 1)
SELECT line, problem, side, precision, contract, n, own AS idea, own_cell AS cell, 0 AS library FROM lines
UNION ALL
SELECT line, problem, side, precision, contract, n, vendor, vendor_cell, 1 FROM lines;

CREATE TEMP TABLE dot AS
WITH timed AS (
    SELECT h.*, s.kernel_s / g.median_s AS x, s.round
    FROM shown h JOIN good g USING (cell)
    JOIN samples s ON s.host = :host AND s.experiment = :experiment AND s.cell = h.cell
    WHERE s.kernel_s > 0)
SELECT *, (round + 0.0) / max(1, max(round) OVER (PARTITION BY cell)) AS height FROM timed;

-- name: curves
SELECT iif(library, 'library', 'own') AS curve, iif(library, 9, 80) AS curve_style, 0 AS curve_dash, line,
       x AS y, height
FROM dot ORDER BY library, line, height, x;

-- name: lines
SELECT DISTINCT iif((SELECT count(DISTINCT side) FROM dot) > 1, side || ' ', '') || problem
       || iif(contract = 'none', '', '*') || ' ' || precision || ', n = ' || n AS curve, line AS curve_line, 0 AS unused
FROM dot ORDER BY line;

-- scalars
SELECT min(x) AS x_least, max(x) AS x_most FROM dot;

-- facts
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY cell ORDER BY abs(x - 1)) AS turn,
           count(*) OVER (PARTITION BY cell) AS all_of
    FROM dot)
SELECT :host AS host, idea, sig(100 * max(abs(x - 1)), 2) AS within FROM ranked WHERE 10 * turn <= 9 * all_of
GROUP BY cell ORDER BY max(abs(x - 1)) DESC LIMIT 1;
