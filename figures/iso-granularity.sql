-- GFLOP/s over the threads while n grows with the threads, a curve for each tile. SPDX-License-Identifier: MIT
-- title: Iso-granularity: n grows with the threads
-- title.ru: Изогранулярность: n растёт с числом потоков
-- takes: operations threads
-- caption: A program that scales has on $p$ threads $p$ times its speed\each{. \hostbrief{}, \fact{share} rows a
--   thread: \code{idea}\iffact{tile}{, tile \fact{tile},} has on \fact{threads} threads \ratio{} times its speed on
--   one\judged}
-- caption.ru: Программа масштабируется, если на $p$ потоках она в $p$ раз быстрее\each{. \hostbrief{}, строк на поток
--   \fact{share}: \code{idea}\iffact{tile}{, тайл \fact{tile},} на \fact{threads} потоках — \ratio{} скорости на
--   одном\judged}
--
-- Of all ratios n / threads, the figure takes the one that most thread counts have. Where several have as many, it
-- takes the largest.
CREATE TEMP TABLE iso AS
WITH ratios AS (
    SELECT n / threads AS share, count(DISTINCT threads) AS counts FROM good
    WHERE threads IS NOT NULL AND n % threads = 0 GROUP BY n / threads
    HAVING count(DISTINCT threads) > 1 ORDER BY counts DESC, share DESC LIMIT 1)
SELECT g.*, r.share FROM good g JOIN ratios r ON g.n = r.share * g.threads;
-- A variant that was measured on one thread count alone shows no growth.
DELETE FROM iso WHERE variant NOT IN (SELECT variant FROM iso GROUP BY variant HAVING count(DISTINCT threads) > 1);

CREATE TEMP TABLE best AS
SELECT variant, tile
FROM (SELECT variant, tile, row_number() OVER (PARTITION BY variant ORDER BY threads DESC, median_s, tile) AS place
      FROM iso)
WHERE place = 1 OR (SELECT count(*) FROM (SELECT DISTINCT variant, tile FROM iso)) <= 8;

-- name: curves
SELECT i.idea || iif(i.tile IS NULL, '', ', tile ' || i.tile) AS curve,
       min(c.style) OVER (PARTITION BY i.variant) AS curve_style,
       dense_rank() OVER (PARTITION BY i.variant ORDER BY i.tile) - 1 AS curve_dash,
       NOT EXISTS (SELECT 1 FROM best b WHERE b.variant = i.variant AND b.tile IS i.tile) AS curve_grey,
       i.threads, i.gflops AS y, rate_low(i.gflops, i.span) AS low, rate_high(i.gflops, i.span) AS high,
       i.flagged
FROM iso i JOIN curves c USING (cell)
ORDER BY i.ord, i.tile, i.threads;

-- scalars
SELECT min(gflops) AS y_least, max(gflops) AS y_most, max(share) AS share,
       (SELECT group_concat(threads, ' ') FROM (SELECT DISTINCT threads FROM iso ORDER BY threads)) AS sizes
FROM iso;

-- facts
WITH many AS (SELECT *, row_number() OVER (ORDER BY vendor, threads DESC, median_s, tile) AS turn FROM iso),
pair AS (
    SELECT m.share, m.idea, m.tile, m.threads, m.gflops / o.gflops AS x,
           m.flops / o.flops * ratio_low(o.span, m.span) AS x_low,
           m.flops / o.flops * ratio_high(o.span, m.span) AS x_high,
           all_flags(m.flagged, o.flagged) AS flagged, coalesce(m.weak, o.weak) AS weak
    FROM many m JOIN iso o ON o.variant = m.variant AND o.tile IS m.tile AND o.machine = m.machine AND o.threads = 1
    WHERE m.turn = 1)
SELECT :host AS host, share, idea, tile, threads, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, weak) AS verdict, flagged
FROM pair WHERE threads > 1;
