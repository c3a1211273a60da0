-- Loads that are padded, wide or strided against guarded ones, over n, a panel for each device.
-- SPDX-License-Identifier: MIT
-- title: Speed over that of guarded loads
-- title.ru: Скорость относительно загрузок с проверкой
-- caption: Guarded loads (opencl-tiled) are the level line at 1.\each{ \fact{device}, $n = \fact{n}$, no multiple of
--   the tile:\iffact{pad_ratio}{ padded \ratio[pad_]\judged[pad_]}\iffact{wide_ratio}{, wide
--   \ratio[wide_]\judged[wide_]}.} Solid: n is a multiple of the tile; dashed: n is none. Each variant has its fastest
--   tile
-- caption.ru: Загрузки с проверкой (opencl-tiled) — горизонтальная линия на высоте 1.\each{ \fact{device}, $n =
--   \fact{n}$, не кратно тайлу:\iffact{pad_ratio}{ дополнение нулями \ratio[pad_]\judged[pad_]}\iffact{wide_ratio}{,
--   широкие загрузки \ratio[wide_]\judged[wide_]}.} Сплошные линии: n кратно тайлу; штриховые: не кратно. У каждого
--   варианта его самый быстрый тайл
--
-- The time of a variant is that of its fastest tile among the tiles that divide n, or among the others.
CREATE TEMP TABLE sided AS
SELECT g.*, iif(g.n % g.tile = 0, 1, 0) AS whole,
       row_number() OVER (PARTITION BY g.device, g.idea, g.precision, g.n, g.n % g.tile = 0
                          ORDER BY g.median_s, g.tile) AS place
FROM good g WHERE g.backend = 'opencl' AND g.problem = 'matmul';

CREATE TEMP TABLE ratio AS
SELECT v.*, b.idea AS base, b.median_s / v.median_s AS x,
       coalesce(b.ci_lo_s, b.median_s) / coalesce(v.ci_hi_s, v.median_s) AS x_low,
       coalesce(b.ci_hi_s, b.median_s) / coalesce(v.ci_lo_s, v.median_s) AS x_high,
       v.flagged OR b.flagged AS either,
       dense_rank() OVER (ORDER BY v.side DESC, v.device_id) AS panel
FROM sided v JOIN sided b USING (device, precision, n, whole)
WHERE v.place = 1 AND b.place = 1 AND b.idea = 'opencl-tiled'
  AND v.idea IN ('opencl-padded', 'opencl-vec4', 'opencl-strided')
  AND v.precision = (SELECT precision FROM sided GROUP BY precision ORDER BY count(*) DESC, precision LIMIT 1);

-- name: curves
SELECT idea || iif(whole, '', ', other n') AS curve, 40 + ord % 8 AS curve_style,
       1 - whole AS curve_dash, panel, n, x AS y, x_low AS low, x_high AS high, either
FROM ratio ORDER BY ord, whole DESC, panel, n;

-- name: panels
SELECT DISTINCT device_id || ' (' || side || ')' AS curve, panel FROM ratio ORDER BY panel;

-- scalars
SELECT min(x) AS y_least, max(x) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM ratio ORDER BY n)) AS sizes
FROM ratio;

-- facts
-- On each device, at the largest n that is no multiple of the tile.
WITH last AS (SELECT *, max(n) OVER (PARTITION BY panel) AS most FROM ratio WHERE NOT whole),
shown AS (SELECT * FROM last WHERE n = most)
SELECT :host AS host, s.side AS device, s.n,
       sig(p.x, 3) AS pad_ratio, sig(p.x_low, 3) AS pad_low, sig(p.x_high, 3) AS pad_high,
       verdict(p.x, p.x_low, p.x_high) AS pad_verdict, iif(p.either, 1, 0) AS pad_flagged,
       sig(w.x, 3) AS wide_ratio, sig(w.x_low, 3) AS wide_low, sig(w.x_high, 3) AS wide_high,
       verdict(w.x, w.x_low, w.x_high) AS wide_verdict, iif(w.either, 1, 0) AS wide_flagged
FROM (SELECT DISTINCT panel, side, n FROM shown) s
LEFT JOIN shown p ON p.panel = s.panel AND p.idea = 'opencl-padded'
LEFT JOIN shown w ON w.panel = s.panel AND w.idea = 'opencl-vec4'
ORDER BY s.panel;
