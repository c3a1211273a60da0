-- Speed-up of the GPU programs over OpenMP, by kernel and by total time: the plot of table lab5-2.
-- problems: matmul
-- SPDX-License-Identifier: MIT
-- title: Speed-up of the GPU over OpenMP
-- title.ru: Ускорение GPU относительно OpenMP
-- caption: What the copies cost is the gap between kernel and total.\each{ \hostbrief{}, $n = \fact{n}$: \code{idea} is
--   \ratio{} times as fast as omp-ijk by its kernel\judged\iffact{total_ratio}{, \ratio[total_]{} times with the
--   copies}.} Dashed: the total time
-- caption.ru: Цена копирования — разрыв между ядром и суммой.\each{ \hostbrief{}, $n = \fact{n}$: ускорение \code{idea}
--   относительно omp-ijk по времени ядра \ratio{}\judged\iffact{total_ratio}{, с копированием \ratio[total_]{}}.}
--   Штриховые: полное время
--
-- The base is omp-ijk.
CREATE TEMP TABLE gain AS
SELECT g.idea, g.ord, c.style, g.n, t.total, iif(t.total, g.total_s, g.median_s) AS gpu_s, o.median_s AS cpu_s,
       ratio_low(o.span, iif(t.total, w.whole, g.span)) AS low,
       ratio_high(o.span, iif(t.total, w.whole, g.span)) AS high,
       all_flags(g.flagged, o.flagged) AS flagged
FROM good g JOIN curves c USING (cell) JOIN totals w USING (host, experiment, cell)
JOIN (SELECT task, min(median_s) AS median_s, span, flagged FROM good WHERE idea = 'omp-ijk' GROUP BY task) o
  ON o.task = g.task
JOIN (SELECT 0 AS total UNION ALL SELECT 1) t
WHERE g.idea IN ('cuda-global', 'cuda-shared');

-- name: curves
SELECT idea || iif(total, ', total', ', kernel') AS curve, style AS curve_style, total AS curve_dash, n,
       cpu_s / min(gpu_s) AS y, coalesce(low, cpu_s / gpu_s) AS low, coalesce(high, cpu_s / gpu_s) AS high, flagged
FROM gain WHERE gpu_s IS NOT NULL
GROUP BY idea, total, n ORDER BY ord, total, n;

-- scalars
SELECT min(cpu_s / gpu_s) AS y_least, max(cpu_s / gpu_s) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM gain ORDER BY n)) AS sizes
FROM gain WHERE gpu_s IS NOT NULL;

-- facts
WITH last AS (
    SELECT g.*, w.whole, o.median_s AS cpu_s, o.span AS cpu_span, o.flagged AS cpu_flagged, o.weak AS cpu_weak,
           row_number() OVER (ORDER BY g.n DESC, g.median_s) AS turn
    FROM good g JOIN totals w USING (host, experiment, cell) JOIN good o ON o.idea = 'omp-ijk' AND o.task = g.task
    WHERE g.idea IN ('cuda-global', 'cuda-shared'))
SELECT :host AS host, n, idea, ratio(cpu_s / median_s) AS ratio, ratio(ratio_low(cpu_span, span)) AS low,
       ratio(ratio_high(cpu_span, span)) AS high, verdict(cpu_span, span, coalesce(weak, cpu_weak)) AS verdict,
       all_flags(flagged, cpu_flagged) AS flagged, ratio(cpu_s / total_s) AS total_ratio,
       ratio(ratio_low(cpu_span, whole)) AS total_low, ratio(ratio_high(cpu_span, whole)) AS total_high,
       all_flags(flagged, cpu_flagged) AS total_flagged
FROM last WHERE turn = 1;
