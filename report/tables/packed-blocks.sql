-- The sizes of packed blocks that a kernel chooses against the best of those that were tried.
-- SPDX-License-Identifier: MIT
-- caption: The sizes of packed blocks that the kernel computes from the caches against the best sizes that were
--   tried. A ratio above 1 is what the computed sizes miss
-- caption.ru: Размеры упакованных блоков, которые ядро вычисляет по кэшам, и лучшие из опробованных. Отношение больше
--   1 — потеря от вычисленных размеров
-- problems: matmul aat lu
--
-- align: llrrrrlrl
WITH sized AS (
    SELECT *, mc IS NULL AND nc IS NULL AND kc IS NULL AS chosen, drop_axes(settings, 'mc nc kc') AS other
    FROM good WHERE NOT vendor),
pair AS (
    SELECT s.*, b.median_s AS base_s, b.span AS base_span, b.flagged AS base_flagged, b.weak AS base_weak,
           count(*) OVER (PARTITION BY s.variant, s.other, s.machine) AS tried,
           row_number() OVER (PARTITION BY s.variant, s.other, s.machine ORDER BY s.median_s) AS place
    FROM sized s JOIN sized b ON b.variant = s.variant AND b.other = s.other AND b.machine = s.machine AND b.chosen
    WHERE NOT s.chosen)
SELECT idea AS "Variant", precision AS "Type", n AS "N", threads AS "Threads", tried AS "Tried",
       marked(si(base_s, 's'), base_flagged) AS "Time as chosen", trim(pick(settings, 'mc nc kc')) AS "Best setting",
       marked(ratio(base_span, span), flagged, base_flagged) AS "Chosen / best",
       verdict(base_span, span, coalesce(weak, base_weak)) AS "Verdict"
FROM pair WHERE place = 1 ORDER BY ord, precision, n, threads;
