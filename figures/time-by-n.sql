-- Time over n on the most threads, or a library's fastest; a curve for each variant and tile.
-- SPDX-License-Identifier: MIT
-- title: Time over n
-- title.ru: Время в зависимости от n
-- caption: Time of the fastest own variant\anyfact{library}{ and of the library}\each{. \hostbrief{}, $n =
--   \fact{n}$\iffact{type}{, \fact{type}}: \code{own} takes \fact{own_time}\iffact{library}{, \code{library}
--   \fact{library_time}}}
-- caption.ru: Время самого быстрого собственного варианта\anyfact{library}{ и библиотеки}\each{. \hostbrief{}, $n =
--   \fact{n}$\iffact{type}{, \fact{type}}: \code{own} — \fact{own_time}\iffact{library}{, \code{library} —
--   \fact{library_time}}}
--
-- name: curves
SELECT g.curve, c.drawn_style AS curve_style, e.line_dash AS curve_dash, e.grey AS curve_grey, g.n, g.median_s AS y,
       coalesce(g.ci_lo_s, g.median_s) AS low, coalesce(g.ci_hi_s, g.median_s) AS high, g.flagged
FROM drawn_at g JOIN curves c USING (cell) JOIN emphasis e USING (cell)
ORDER BY c.drawn_ord, c.family_dash, g.curve, g.n;

-- scalars
SELECT min(median_s) AS y_least, max(median_s) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM drawn_at ORDER BY n)) AS sizes
FROM drawn_at;

-- facts
-- Of a host with both devices, the GPU's.
SELECT :host AS host, n, type, own, own_time, library, library_time FROM headline ORDER BY side DESC LIMIT 1;
