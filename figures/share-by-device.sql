-- Per cent of the measured peak over n, a panel for each device. SPDX-License-Identifier: MIT
-- title: Share of each device's measured FMA peak
-- title.ru: Доля измеренного пика FMA каждого устройства
-- takes: operations
-- caption: The same kernels on every device, each with one tuning, beside their counterparts\each{. \fact{side}, $n =
--   \fact{n}$: \code{idea} \fact{share}\,\%\iffact{second}{, \code{second} \fact{second_share}\,\%}}
-- caption.ru: Одни и те же ядра на каждом устройстве, с одной настройкой, и их аналоги\each{. \fact{side}, $n =
--   \fact{n}$: \code{idea} \fact{share}\,\%\iffact{second}{, \code{second} \fact{second_share}\,\%}}
--
-- A device of OpenCL or SYCL has a panel. Variants of other backends stand in the panel of the device of their side. A
-- study of both has a panel for each side, so that all languages stand side by side. The key names a variant once, so
-- that a variant has one style on all devices.
CREATE TEMP TABLE device AS
WITH found AS (SELECT DISTINCT device_id, side, backend FROM good WHERE device_id IS NOT NULL),
named AS (
    SELECT f.*, iif(several, side, device_id || ' (' || side || ')') AS panel_name
    FROM found f JOIN (SELECT count(DISTINCT backend) > 1 AS several FROM found))
SELECT device_id, side, panel_name, dense_rank() OVER (ORDER BY side DESC, panel_name) AS panel,
       row_number() OVER (PARTITION BY panel_name ORDER BY device_id) = 1 AS takes_others
FROM named;

CREATE TEMP TABLE point AS
WITH main AS (SELECT problem, precision FROM good GROUP BY problem, precision ORDER BY count(*) DESC LIMIT 1)
SELECT g.*, d.panel, 100 * g.gflops / p.gflops AS y, a.tuning_label AS tuning,
       count(*) OVER (PARTITION BY d.panel, g.idea, g.device_id, a.tuning_label) AS sizes,
       max(g.n) OVER (PARTITION BY d.panel, g.idea, g.device_id, a.tuning_label) AS last
FROM good g JOIN main USING (problem, precision) JOIN peak p USING (cell) JOIN named a USING (cell)
JOIN device d ON d.side = g.side AND (d.device_id = g.device_id OR g.device_id IS NULL AND d.takes_others)
WHERE p.gflops > 0;
-- The tuning of each variant in each panel, as its tile: of those with most sizes the fastest at the largest n.
DELETE FROM point WHERE (panel, idea, coalesce(device_id, ''), coalesce(tuning, '')) NOT IN (
    SELECT panel, idea, device_id, tuning FROM (
        SELECT panel, idea, coalesce(device_id, '') AS device_id, coalesce(tuning, '') AS tuning,
               row_number() OVER (PARTITION BY panel, idea ORDER BY sizes DESC, last DESC, median_s) AS place
        FROM point WHERE n = last)
    WHERE place = 1);

-- name: curves
-- The panel tells the device. A variant of several devices has its style on the GPU in all panels.
WITH style AS (SELECT idea, max(style) AS style FROM point JOIN curves USING (cell) GROUP BY idea)
SELECT idea AS curve, style AS curve_style, 0 AS curve_dash, panel, n, y,
       rate_low(y, span) AS low, rate_high(y, span) AS high, flagged
FROM point JOIN style USING (idea) ORDER BY ord, panel, n;

-- name: panels
SELECT DISTINCT panel_name AS curve, panel FROM point p JOIN device d USING (panel) ORDER BY panel;

-- scalars
SELECT min(y) AS y_least, max(y) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM point ORDER BY n)) AS sizes
FROM point;

-- facts
-- On each device, at the largest n of its OpenCL or SYCL kernels: the best of these and the best other own one.
WITH last AS (SELECT panel, max(n) AS n FROM point WHERE device_id IS NOT NULL GROUP BY panel),
ranked AS (
    SELECT p.*, row_number() OVER (PARTITION BY p.panel, p.device_id IS NULL ORDER BY p.y DESC) AS turn
    FROM point p JOIN last USING (panel, n) WHERE p.library IS NULL)
SELECT :host AS host, o.side, o.n, o.idea, marked(sig(o.y), o.flagged) AS share, c.idea AS second,
       marked(sig(c.y), c.flagged) AS second_share
FROM ranked o LEFT JOIN ranked c ON c.panel = o.panel AND c.device_id IS NULL AND c.turn = 1
WHERE o.device_id IS NOT NULL AND o.turn = 1 ORDER BY o.panel;
