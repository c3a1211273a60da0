-- Speed of products over their error, both relative to the library in full precision. SPDX-License-Identifier: MIT
-- title: Speed against error
-- title.ru: Скорость и ошибка
-- problems: matmul
-- takes: library
-- caption: Speed and largest error, relative to the library in full precision; better is up and left\each{.
--   \hostbrief{}, $n = \fact{n}$, \fact{precision}: \code{idea} \speed{} \code{library}\judged, with \fact{error} times
--   its error}
-- caption.ru: Скорость и наибольшая ошибка относительно библиотеки полной точности; лучше~--- выше и левее\each{.
--   \hostbrief{}, $n = \fact{n}$, \fact{precision}: \code{idea} \speed{} \code{library}\judged, ошибка — \fact{error}
--   её ошибки}
--
-- Verification has found the errors; that of a variant for several GPUs compares sums over rows, and no entries. The
-- figure shows libraries, variants on tensor cores, and the fastest variant without them, each in its fastest
-- configuration at the largest n that the library has.
CREATE TEMP TABLE point AS
WITH library AS (
    SELECT v.task, v.idea, v.variant, v.span, v.median_s, v.flagged, v.weak, g.error, min(v.place) AS least
    FROM offered v JOIN good g USING (cell)
    WHERE v.side = 'GPU' AND g.error > 0 AND g.gpus IS NULL AND (v.precision = 'f64' OR NOT g.on_tensor)
    GROUP BY v.task),
pair AS (
    SELECT g.*, l.idea AS its_idea, l.variant = g.variant AS is_base, g.error / l.error AS x,
           l.median_s / g.median_s AS y, ratio_low(l.span, g.span) AS y_low, ratio_high(l.span, g.span) AS y_high,
           all_flags(g.flagged, l.flagged) AS either, coalesce(g.weak, l.weak) AS either_weak
    FROM good g JOIN library l USING (task)
    WHERE g.problem = 'matmul' AND g.side = 'GPU' AND g.error > 0 AND g.gpus IS NULL AND g.usual),
sized AS (
    SELECT *, row_number() OVER (PARTITION BY variant, precision ORDER BY median_s, cell) AS place FROM pair p
    WHERE n = (SELECT max(o.n) FROM pair o WHERE o.precision = p.precision)),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY precision, library IS NULL, on_tensor ORDER BY median_s) AS turn
    FROM sized WHERE place = 1)
SELECT r.*, c.style, dense_rank() OVER (ORDER BY r.precision) AS panel FROM ranked r JOIN curves c USING (cell)
WHERE r.library IS NOT NULL OR r.on_tensor OR r.turn = 1;

-- name: curves
SELECT idea AS curve, s.style AS curve_style, s.dash AS curve_dash, panel, x, y, coalesce(y_low, y) AS low,
       coalesce(y_high, y) AS high, either AS flagged
FROM point JOIN idea_style s USING (idea) ORDER BY s.ord, idea, panel;

-- name: panels
SELECT DISTINCT precision || ', n = ' || n AS curve, panel FROM point ORDER BY panel;

-- scalars
SELECT min(x) AS x_least, max(x) AS x_most, min(y) AS y_least, max(y) AS y_most FROM point;

-- facts
WITH best AS (
    SELECT *, row_number() OVER (PARTITION BY panel ORDER BY y DESC) AS nth FROM point WHERE library IS NULL)
SELECT :host AS host, n, precision, idea, its_idea AS library, ratio(y) AS ratio, ratio(y_low) AS low,
       ratio(y_high) AS high, verdict(y, y_low, y_high, either_weak) AS verdict, either AS flagged,
       ratio(1 / y) AS cost_ratio, ratio(1 / y_high) AS cost_low, ratio(1 / y_low) AS cost_high,
       either AS cost_flagged, iif(y < 1, 1, 0) AS slower, sig(x) AS error
FROM best WHERE nth = 1 ORDER BY y DESC LIMIT 1;
