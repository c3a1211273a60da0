-- Time over the tile, a panel for each n. SPDX-License-Identifier: MIT
-- title: Time over the tile
-- title.ru: Время в зависимости от тайла
-- takes: tile
-- caption: Which tile is fastest?\each{ \hostbrief{}, $n = \fact{n}$, \code{idea}: \when{verdict}{faster}{tile
--   \fact{tile}, \ratio{} times as fast as tile \fact{second}}\whennot{verdict}{faster}{undecided between
--   \fact{tile} and \fact{second}, whose ratio is \ratio{}}.} Level lines have no tile; drawn times of a GPU include
--   the copies, ratios do not
-- caption.ru: Какой тайл быстрее всех?\each{ \hostbrief{}, $n = \fact{n}$, \code{idea}: \when{verdict}{faster}{тайл
--   \fact{tile}, \ratio{} скорости тайла \fact{second}}\whennot{verdict}{faster}{не решено, отношение
--   скоростей с тайлами \fact{tile} и \fact{second} — \ratio{}}.} У горизонтальных линий
--   тайла нет; время GPU на рисунке включает копирование, отношения — нет
--
-- Solvers are shown without weights (omega = 1) and until convergence. A curve belongs to one thread count or device.
-- Of more than eight curves these have a colour: the fastest library of each device, then curves with tiles on the most
-- threads, then those that are fastest at the largest n.
CREATE TEMP TABLE size AS SELECT DISTINCT problem, n FROM good WHERE tile IS NOT NULL
  AND n IN (SELECT DISTINCT n FROM good WHERE tile IS NOT NULL ORDER BY n DESC LIMIT 6);

CREATE TEMP TABLE point AS
SELECT g.idea || iif(g.padding IS NULL, '', ', padding ' || g.padding) || a.place_label AS curve, g.ord, g.variant,
       g.padding, a.place_key, g.vendor, g.side, coalesce(g.threads, 0) AS threads,
       min(c.style) OVER (PARTITION BY g.variant) AS style, g.tile IS NULL AS level, g.n, g.tile,
       dense_rank() OVER (PARTITION BY g.variant ORDER BY a.place_key DESC) - 1 AS dash,
       coalesce(g.total_s, g.median_s) AS y, iif(g.total_s IS NULL, coalesce(g.ci_lo_s, g.median_s), g.total_s) AS low,
       iif(g.total_s IS NULL, coalesce(g.ci_hi_s, g.median_s), g.total_s) AS high, g.flagged
FROM good g JOIN curves c USING (cell) JOIN named a USING (cell) JOIN size USING (problem, n)
WHERE coalesce(g.omega, 1) = 1 AND g.sweeps IS NULL;

CREATE TEMP TABLE named_curve AS
SELECT curve
FROM (SELECT *, vendor AND row_number() OVER (PARTITION BY vendor, side ORDER BY last DESC, y) = 1 AS beside,
             threads < max(threads) OVER (PARTITION BY variant) AS narrow
      FROM (SELECT curve, variant, level, vendor, side, threads, max(n) AS last, y FROM point GROUP BY curve))
ORDER BY NOT beside, level, narrow, last DESC, y LIMIT 8;

-- name: curves
SELECT curve, style AS curve_style, dash AS curve_dash, level AS curve_level,
       curve NOT IN (SELECT curve FROM named_curve) AS curve_grey, n, tile, y, low, high, flagged
FROM point ORDER BY ord, variant, padding, place_key, n, tile;

-- scalars
SELECT (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM size ORDER BY n)) AS sizes,
       (SELECT group_concat(tile, ' ') FROM (SELECT DISTINCT tile FROM point WHERE tile IS NOT NULL ORDER BY tile))
       AS tiles;

-- facts
-- The best tile of each variant against the next one, at the largest n with several tiles. The times are those of the
-- run alone, which have intervals.
WITH tiled AS (
    SELECT *, drop_axes(settings, 'tile') AS other,
           count(*) OVER (PARTITION BY variant, drop_axes(settings, 'tile')) AS tiles
    FROM good WHERE tile IS NOT NULL AND coalesce(omega, 1) = 1 AND sweeps IS NULL AND coalesce(padding, 1) = 1),
at AS (
    SELECT t.*, row_number() OVER (PARTITION BY t.variant, t.other, t.machine ORDER BY t.median_s, t.tile) AS place
    FROM tiled t WHERE t.tiles > 1 AND t.n = (SELECT max(n) FROM tiled o WHERE o.variant = t.variant AND o.tiles > 1)),
-- On several devices a variant is shown on its fastest.
pair AS (
    SELECT a.*, b.tile AS second, b.median_s / a.median_s AS x, ratio_low(b.span, a.span) AS x_low,
           ratio_high(b.span, a.span) AS x_high, all_flags(a.flagged, b.flagged) AS either,
           coalesce(a.weak, b.weak) AS either_weak,
           row_number() OVER (PARTITION BY variant ORDER BY a.median_s) AS turn
    FROM at a JOIN at b USING (variant, other, machine) WHERE a.place = 1 AND b.place = 2)
SELECT :host AS host, n, idea, tile, second, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, either_weak) AS verdict, either AS flagged
FROM pair WHERE turn = 1 ORDER BY ord LIMIT 3;
