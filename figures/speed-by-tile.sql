-- Speed over n and the tile, in per cent of the best tile at each n. SPDX-License-Identifier: MIT
-- title: Speed by n and tile, % of the best tile
-- title.ru: Скорость по n и тайлу, % от лучшего тайла
-- takes: tile
-- caption: Fastest tile\each{. \hostbrief{}, $n = \fact{n}$, \code{idea}: \when{verdict}{faster}{\fact{tile}, \ratio{}
--   times as fast as \fact{second}}\whennot{verdict}{faster}{\fact{tile} leads \fact{second} by \ratio{}\judged}}
-- caption.ru: Самый быстрый тайл\each{. \hostbrief{}, $n = \fact{n}$, \code{idea}: тайл \fact{tile}, в
--   \ratio{\forms{ratio}{раз}{раза}{раз}} быстрее тайла \fact{second}\judged}
--
-- Solvers are shown without weights (omega = 1) and until convergence, variants on the most threads that have
-- nearly all cells. A size counts on the machine that measured most tiles there, and only if the fastest tile of all is
-- one of these.
CREATE TEMP TABLE point AS
WITH tiled AS (
    SELECT g.*, drop_axes(g.settings, 'tile n m k') AS other, a.place_label FROM good g JOIN named a USING (cell)
    WHERE g.tile IS NOT NULL AND NOT g.vendor AND coalesce(g.omega, 1) = 1 AND g.sweeps IS NULL),
counted AS (
    SELECT *, count(*) OVER (PARTITION BY variant, other, n, machine) AS tiles,
           min(median_s) OVER (PARTITION BY variant, other, n, machine) AS best_s,
           min(median_s) OVER (PARTITION BY variant, other, n) AS least_s
    FROM tiled),
there AS (
    SELECT *, dense_rank() OVER (PARTITION BY variant, other, n ORDER BY tiles DESC, machine) AS turn FROM counted
    WHERE tiles > 1),
sized AS (
    SELECT *, count(*) OVER (PARTITION BY variant, other) AS points,
           first_value(median_s) OVER (PARTITION BY variant, other ORDER BY n DESC, median_s) AS last_s,
           max(n) OVER (PARTITION BY variant, other) AS last_n
    FROM there WHERE turn = 1 AND best_s = least_s),
wide AS (SELECT *, 4 * points >= 3 * max(points) OVER (PARTITION BY variant) AS full FROM sized),
placed AS (
    SELECT *, dense_rank() OVER (PARTITION BY variant ORDER BY full DESC, threads DESC, last_s, other) AS choice
    FROM wide)
SELECT * FROM placed WHERE choice = 1;

-- At most two panels for each device: the fastest variants, those of several sizes first.
CREATE TEMP TABLE panel AS
SELECT variant
FROM (SELECT variant, row_number() OVER (PARTITION BY side ORDER BY count(DISTINCT n) = 1, last_n DESC, last_s,
                                                                    variant) AS turn
      FROM point GROUP BY variant)
WHERE turn <= 2;

-- name: curves
SELECT iif((SELECT count(DISTINCT problem) FROM point JOIN panel USING (variant)) > 1, variant, idea) || place_label
         AS curve, 0 AS curve_style, 0 AS curve_dash, n, tile, 100 * best_s / median_s AS y,
       rate_low(100 * best_s / median_s, span) AS low, rate_high(100 * best_s / median_s, span) AS high, flagged
FROM point WHERE variant IN (SELECT variant FROM panel) ORDER BY side, ord, variant, n, tile;

-- scalars
SELECT (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM point JOIN panel USING (variant) ORDER BY n)) AS sizes,
       (SELECT group_concat(tile, ' ') FROM (SELECT DISTINCT tile FROM point JOIN panel USING (variant) ORDER BY tile))
       AS tiles;

-- facts
-- The best tile against the next one at the largest n, of the panel where it gains most; first, where it is faster.
WITH at AS (
    SELECT p.*, row_number() OVER (PARTITION BY p.variant ORDER BY p.median_s, p.tile) AS place
    FROM point p JOIN panel USING (variant) WHERE p.n = (SELECT max(n) FROM point o WHERE o.variant = p.variant)),
pair AS (
    SELECT a.*, b.tile AS second, b.median_s / a.median_s AS x, ratio_low(b.span, a.span) AS x_low,
           ratio_high(b.span, a.span) AS x_high, all_flags(a.flagged, b.flagged) AS either,
           coalesce(a.weak, b.weak) AS either_weak
    FROM at a JOIN at b USING (variant) WHERE a.place = 1 AND b.place = 2)
SELECT :host AS host, n, idea, tile, second, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, either_weak) AS verdict, either AS flagged
FROM pair ORDER BY verdict <> 'faster', x DESC LIMIT 1;
