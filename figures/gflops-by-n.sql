-- GFLOP/s over n, or GB/s where memory bounds the variants. SPDX-License-Identifier: MIT
-- title: Speed and measured ceilings
-- title.ru: Скорость и измеренные пределы
-- caption: Fastest variant of the study\anyfact{library}{, library} and ceiling\each{. \hostbrief{}, $n =
--   \fact{n}$\iffact{type}{, \fact{type}}: \code{own} \fact{own_rate}\iffact{share}{, \fact{share}\,\% of the
--   \when{share_of}{peak}{peak}\when{share_of}{bandwidth}{bandwidth}}\iffact{library}{, the library
--   \fact{library_rate}}}
-- caption.ru: Лучшая программа исследования\anyfact{library}{, библиотека} и предел\each{. \hostbrief{}, $n =
--   \fact{n}$\iffact{type}{, \fact{type}}: \code{own} \fact{own_rate}\iffact{share}{, \fact{share}\,\%
--   \when{share_of}{peak}{пика}\when{share_of}{bandwidth}{скорости чтения}}\iffact{library}{, библиотека
--   \fact{library_rate}}}
--
-- Memory bounds a solver too: a study of solvers shows GB/s, for one read of A a sweep, and measured bandwidths.
CREATE TEMP TABLE kind AS SELECT min(by_bytes) AS of_memory FROM good;
CREATE TEMP TABLE speed AS SELECT d.*, iif(of_memory, gbs, gflops) AS speed FROM drawn_at d, kind;

-- name: curves
SELECT g.curve, c.drawn_style AS curve_style, e.line_dash AS curve_dash, e.grey AS curve_grey, g.n, g.speed AS y,
       rate_low(g.speed, g.span) AS low, rate_high(g.speed, g.span) AS high, g.flagged
FROM speed g JOIN curves c USING (cell) JOIN emphasis e USING (cell)
ORDER BY c.drawn_ord, c.family_dash, g.curve, g.n;

-- scalars
SELECT min(speed) AS y_least, max(speed) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM widest ORDER BY n)) AS sizes, of_memory
FROM speed, kind;

-- The ceilings of the devices that are drawn, for as many threads as the study uses.
-- name: ceilings
WITH used AS (SELECT side, precision, max(coalesce(threads, 1)) AS threads FROM good GROUP BY side, precision),
every AS (
    SELECT iif(p.tensor, 'tensor peak', 'FMA peak') || iif(several, ', ' || p.precision, '') AS what, p.side,
           p.precision, p.threads, p.tensor, max(p.gflops) AS value
    FROM ceiling p JOIN used g ON g.side = p.side AND g.precision = p.precision
      AND (p.side = 'GPU' OR p.threads = g.threads)
    JOIN (SELECT count(DISTINCT precision) > 1 AS several FROM used)
    WHERE p.problem = 'fma' AND NOT (SELECT of_memory FROM kind)
    GROUP BY p.side, p.precision, p.tensor
    UNION ALL
    SELECT 'read rate', p.side, '', p.threads, 0, max(p.gbs)
    FROM ceiling p JOIN (SELECT side, max(threads) AS threads FROM used GROUP BY side) g
      ON g.side = p.side AND (p.side = 'GPU' OR p.threads = g.threads)
    WHERE p.problem = 'read' AND (SELECT of_memory FROM kind)
    GROUP BY p.side)
SELECT what || ', ' || iif(side = 'GPU', 'GPU', threads || iif(threads = 1, ' thread', ' threads')) AS curve,
       iif(side = 'GPU', 1, 0) AS curve_gpu, value AS curve_value, 0 AS unused
FROM every ORDER BY side, precision, tensor;

-- facts
-- Of a host with both devices, the GPU's.
SELECT :host AS host, n, type, own, own_rate, share, share_of, library, library_rate FROM headline
ORDER BY side DESC LIMIT 1;
