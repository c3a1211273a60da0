-- Speed-up of the GPU programs over OpenMP, by kernel and by total time: the plot of table lab5-2.
-- SPDX-License-Identifier: MIT
-- title: Speed-up of the GPU over OpenMP
-- caption: How many times the GPU programs are faster than OpenMP (omp-ijk): by the time of the kernel, and, dashed,
--   by the total time with the copies. The gap between the two is what the copies cost
--
-- The base is omp-ijk.
CREATE TEMP TABLE gain AS
SELECT g.idea, g.ord, c.style, g.n, t.total, iif(t.total, g.total_s, g.median_s) AS gpu_s, o.median_s AS cpu_s,
       iif(t.total, 0, coalesce(g.ci_hi_s / g.median_s, 1) - 1) AS spread, g.flagged OR o.flagged AS flagged
FROM good g JOIN curves c USING (cell)
JOIN (SELECT precision, n, min(median_s) AS median_s, flagged FROM good WHERE idea = 'omp-ijk' GROUP BY precision, n) o
  ON o.precision = g.precision AND o.n = g.n
JOIN (SELECT 0 AS total UNION ALL SELECT 1) t
WHERE g.idea IN ('cuda-global', 'cuda-shared');

-- name: curves
SELECT idea || iif(total, ', total', ', kernel') AS curve, style AS curve_style, total AS curve_dash, n,
       cpu_s / min(gpu_s) AS y, cpu_s / gpu_s / (1 + spread) AS low, cpu_s / gpu_s * (1 + spread) AS high, flagged
FROM gain WHERE gpu_s IS NOT NULL
GROUP BY idea, total, n ORDER BY ord, total, n;

-- scalars
SELECT min(cpu_s / gpu_s) AS y_least, max(cpu_s / gpu_s) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM gain ORDER BY n)) AS sizes
FROM gain WHERE gpu_s IS NOT NULL;
