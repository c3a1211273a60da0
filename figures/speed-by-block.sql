-- Speed over the size of one packed block, relative to the sizes that the kernel chooses. SPDX-License-Identifier: MIT
-- title: Speed over the size of a packed block
-- title.ru: Скорость и размер упакованного блока
-- caption: Speed with one size of packed block set, over that with the sizes that the kernel computes\each{.
--   \hostbrief{}, $n = \fact{n}$ (\fact{precision}, \fact{threads} \plural{threads}{thread}{threads}): the best is
--   \fact{setting}, \ratio{} times the speed\judged}
-- caption.ru: Скорость при одном заданном размере блока относительно вычисленных ядром\each{. \hostbrief{}, $n =
--   \fact{n}$ (\fact{precision}, потоков: \fact{threads}): лучший — \fact{setting}, \ratio{} скорости\judged}
-- problems: matmul aat lu
--
-- A curve belongs to one precision and thread count, at the largest n. A panel belongs to one axis.
CREATE TEMP TABLE block AS
WITH sized AS (
    SELECT *, (mc IS NOT NULL) + (nc IS NOT NULL) + (kc IS NOT NULL) AS given,
           drop_axes(settings, 'mc nc kc') AS other
    FROM good WHERE NOT vendor),
pair AS (
    SELECT s.*, b.median_s / s.median_s AS x, ratio_low(b.span, s.span) AS x_low, ratio_high(b.span, s.span) AS x_high,
           all_flags(s.flagged, b.flagged) AS either, coalesce(s.weak, b.weak) AS either_weak
    FROM sized s JOIN sized b ON b.variant = s.variant AND b.other = s.other AND b.machine = s.machine AND b.given = 0
    WHERE s.given = 1)
SELECT *, CASE WHEN kc IS NOT NULL THEN 1 WHEN mc IS NOT NULL THEN 2 ELSE 3 END AS panel, coalesce(kc, mc, nc) AS size
FROM pair WHERE n = (SELECT max(n) FROM pair);

-- name: curves
SELECT precision || ', ' || iif(threads = 1, '1 thread', threads || ' threads') AS curve,
       9 + dense_rank() OVER (ORDER BY precision, threads) AS curve_style, 0 AS curve_dash, panel, size, x AS y,
       coalesce(x_low, x) AS low, coalesce(x_high, x) AS high, either AS flagged
FROM block ORDER BY precision, threads, panel, size;

-- name: panels
SELECT DISTINCT CASE panel WHEN 1 THEN 'kc' WHEN 2 THEN 'mc' ELSE 'nc' END AS curve, panel FROM block ORDER BY panel;

-- scalars
SELECT min(x) AS y_least, max(x) AS y_most,
       (SELECT group_concat(size, ' ') FROM (SELECT DISTINCT size FROM block ORDER BY size)) AS sizes
FROM block;

-- facts
WITH best AS (SELECT *, row_number() OVER (ORDER BY threads DESC, precision, x DESC) AS turn FROM block)
SELECT :host AS host, n, precision, threads, pick(settings, 'mc nc kc') AS setting, ratio(x) AS ratio,
       ratio(x_low) AS low, ratio(x_high) AS high, verdict(x, x_low, x_high, either_weak) AS verdict, either AS flagged
FROM best WHERE turn = 1;
