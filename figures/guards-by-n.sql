-- Loads that are padded, wide or strided against guarded ones, over n, a panel for each device.
-- SPDX-License-Identifier: MIT
-- title: Speed over that of guarded loads
-- title.ru: Скорость относительно загрузок с проверкой
-- caption: Guarded loads (opencl-tiled) are the level line at 1.\each{ On the \fact{device} at $n = \fact{n}$,
--   \iffact{whole}{a multiple of the tile}\iffact{part}{no multiple of the tile}, \code{idea} \speed{}
--   \code{base}\judged{}.} Solid: n is a multiple of the tile; dashed: n is none. Each variant has its fastest tile
-- caption.ru: Загрузки с проверкой (opencl-tiled) — горизонтальная линия на высоте 1.\each{ \fact{device}, $n = \fact{n}$
--   (\iffact{whole}{кратно тайлу}\iffact{part}{не кратно тайлу}): \code{idea} \speed{} \code{base}\judged{}.} Сплошные
--   линии: n кратно тайлу; штриховые: не кратно. У каждого варианта его самый быстрый тайл
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
WHERE v.place = 1 AND b.place = 1 AND b.idea = 'opencl-tiled' AND v.idea IN ('opencl-padded', 'opencl-vec4', 'opencl-strided')
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
-- The largest n of each kind on each device, and there the variant that differs most from the guarded loads.
WITH last AS (
    SELECT *, row_number() OVER (PARTITION BY panel, whole ORDER BY n DESC, max(x, 1 / x) DESC) AS turn
    FROM ratio WHERE idea <> 'opencl-strided')
SELECT :host AS host, side AS device, n, idea, base, iif(whole, 1, NULL) AS whole, iif(whole, NULL, 1) AS part,
       sig(x, 3) AS ratio, sig(x_low, 3) AS low, sig(x_high, 3) AS high,
       sig(1 / x, 3) AS slower, verdict(x, x_low, x_high) AS verdict, iif(either, 1, 0) AS flagged
FROM last WHERE turn = 1 ORDER BY panel, whole DESC;
