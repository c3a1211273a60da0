-- Loads that are padded, wide or strided against guarded ones, over n, a panel for each device.
-- SPDX-License-Identifier: MIT
-- problems: matmul
-- title: Speed over that of guarded loads
-- title.ru: Скорость относительно загрузок с проверкой
-- caption: Speed over that of guarded loads (opencl-tiled); along dashed lines $n$ is no multiple of the tile\each{.
--   \fact{device}, $n = \fact{n}$, tile \fact{tile}:\iffact{pad_ratio}{ padded
--   \ratio[pad_]\judged[pad_]}\iffact{wide_ratio}{, wide \ratio[wide_]\judged[wide_]}}
-- caption.ru: Скорость относительно загрузок с проверкой; штриховые линии: n не кратно тайлу\each{. \fact{device}, $n =
--   \fact{n}$, тайл \fact{tile}:\iffact{pad_ratio}{ дополнение нулями
--   \ratio[pad_]\judged[pad_]}\iffact{wide_ratio}{, широкие загрузки \ratio[wide_]\judged[wide_]}}
--
-- All variants have the same tile: the one that was measured at most sizes.
CREATE TEMP TABLE sided AS
WITH main AS (
    SELECT precision, tile FROM good WHERE backend = 'opencl' AND problem = 'matmul' AND tile IS NOT NULL
    GROUP BY precision, tile ORDER BY count(DISTINCT n) DESC, count(*) DESC, precision, tile DESC LIMIT 1)
SELECT g.*, iif(g.n % g.tile = 0, 1, 0) AS whole
FROM good g JOIN main USING (precision, tile) WHERE g.backend = 'opencl' AND g.problem = 'matmul';

-- `x`: the speed over that of the guarded loads. A time of one run has no interval.
CREATE TEMP TABLE ratio AS
SELECT v.*, b.median_s / v.median_s AS x, ratio_low(b.span, v.span) AS x_low, ratio_high(b.span, v.span) AS x_high,
       all_flags(v.flagged, b.flagged) AS either, coalesce(v.weak, b.weak) AS either_weak,
       dense_rank() OVER (ORDER BY v.side DESC, v.device_id) AS panel
FROM sided v JOIN sided b USING (device_id, n, machine)
WHERE b.idea = 'opencl-tiled' AND v.idea IN ('opencl-padded', 'opencl-vec4', 'opencl-strided');

-- name: curves
SELECT idea || iif(whole, '', ', other n') AS curve, 40 + ord % 8 AS curve_style,
       1 - whole AS curve_dash, panel, n, x AS y,
       coalesce(x_low, x) AS low, coalesce(x_high, x) AS high, either AS flagged
FROM ratio ORDER BY ord, whole DESC, panel, n;

-- name: panels
SELECT DISTINCT device_id || ' (' || side || ')' AS curve, panel FROM ratio ORDER BY panel;

-- scalars
SELECT min(x) AS y_least, max(x) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM ratio ORDER BY n)) AS sizes
FROM ratio;

-- facts
-- On the first device, at the largest n that is no multiple of the tile; one with intervals, if there is one.
WITH placed AS (
    SELECT *, dense_rank() OVER (PARTITION BY panel ORDER BY x_low IS NULL, n DESC) AS place
    FROM ratio WHERE NOT whole),
shown AS (SELECT * FROM placed WHERE place = 1)
SELECT :host AS host, s.side AS device, s.n, s.tile,
       ratio(p.x) AS pad_ratio, ratio(p.x_low) AS pad_low, ratio(p.x_high) AS pad_high,
       verdict(p.x, p.x_low, p.x_high, p.either_weak) AS pad_verdict, p.either AS pad_flagged,
       ratio(w.x) AS wide_ratio, ratio(w.x_low) AS wide_low, ratio(w.x_high) AS wide_high,
       verdict(w.x, w.x_low, w.x_high, w.either_weak) AS wide_verdict, w.either AS wide_flagged
FROM (SELECT DISTINCT panel, side, n, tile FROM shown) s
LEFT JOIN shown p ON p.panel = s.panel AND p.idea = 'opencl-padded'
LEFT JOIN shown w ON w.panel = s.panel AND w.idea = 'opencl-vec4'
ORDER BY s.panel LIMIT 1;
