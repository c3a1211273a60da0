-- The rungs of the ladder: per cent of the library's speed, with the idea of each rung. SPDX-License-Identifier: MIT
-- title: From rung to rung, in per cent of the library
-- title.ru: По ступеням, в процентах от библиотеки
-- takes: library
-- problems: matmul aat
-- caption: What each idea adds, in per cent of the fastest library in full precision\each{. \hostbrief{}, $n =
--   \fact{n}$, \fact{problem} in \fact{precision}: from \fact{first}\,\% with \code{start} to \fact{most}\,\% with
--   \code{idea}}
-- caption.ru: Что добавляет каждая идея, в процентах от быстрейшей библиотеки полной точности\each{. \hostbrief{}, $n =
--   \fact{n}$, \fact{problem} в \fact{precision}: от \fact{first}\,\% у \code{start} до \fact{most}\,\% у \code{idea}}
--
-- The rungs stand at the largest n that has the most of them beside a library.
CREATE TEMP TABLE rung AS
WITH held AS (
    SELECT g.*, 100 * v.median_s / g.median_s AS y, 100 * ratio_low(v.span, g.span) AS y_low,
           100 * ratio_high(v.span, g.span) AS y_high, all_flags(g.flagged, v.flagged) AS either
    FROM good g JOIN vendor v USING (task, side, contract)
    WHERE g.side = 'GPU' AND g.usual AND g.library IS NULL),
least AS (SELECT *, row_number() OVER (PARTITION BY variant, precision ORDER BY median_s) AS place FROM held
          WHERE n = (SELECT n FROM held GROUP BY n ORDER BY count(*) DESC, n DESC LIMIT 1))
SELECT l.*, dense_rank() OVER (ORDER BY p.ord, l.ord) + dense_rank() OVER (ORDER BY p.ord) - 1 AS line
FROM least l JOIN (SELECT problem, min(ord) AS ord FROM good GROUP BY problem) p USING (problem)
WHERE l.place = 1;
-- One rung is no ladder.
DELETE FROM rung WHERE (problem, precision) IN (
    SELECT problem, precision FROM rung GROUP BY problem, precision HAVING count(*) < 2);

-- name: curves
SELECT precision AS curve, 79 + dense_rank() OVER (ORDER BY precision) AS curve_style, 0 AS curve_dash, line, y,
       coalesce(y_low, y) AS low, coalesce(y_high, y) AS high, either AS flagged
FROM rung ORDER BY precision, line;

-- name: lines
SELECT DISTINCT iif((SELECT count(DISTINCT problem) FROM rung) > 1, r.variant, r.idea) AS curve, r.line AS curve_line,
       coalesce(v.summary, '') AS curve_what, 0 AS unused
FROM rung r LEFT JOIN variants v ON v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant
ORDER BY r.line;

-- scalars
SELECT min(y) AS y_least, max(y) AS y_most, count(DISTINCT problem) AS problems_count FROM rung;

-- facts
WITH ends AS (
    SELECT *, first_value(idea) OVER (PARTITION BY problem, precision ORDER BY line) AS start,
           first_value(y) OVER (PARTITION BY problem, precision ORDER BY line) AS first,
           row_number() OVER (PARTITION BY problem, precision ORDER BY y DESC) AS turn
    FROM rung)
SELECT :host AS host, n, problem, precision, start, sig(first) AS first, marked(sig(y), either) AS most, idea FROM ends
WHERE turn = 1 ORDER BY y DESC LIMIT 1;
