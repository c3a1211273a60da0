-- The vendors' libraries on CPU and GPU: time over n, and the ratio of the times. SPDX-License-Identifier: MIT
-- caption: The vendors' libraries on CPU and GPU: time, and the ratio of the times
--
-- Both libraries ran on one host. The ratio is drawn with the GPU's curve.
CREATE TEMP TABLE pair AS
SELECT c.task, c.contract, c.n, c.median_s AS cpu_s, g.median_s AS gpu_s, g.total_s
FROM vendor c JOIN vendor g USING (task, contract) WHERE c.side = 'CPU' AND g.side = 'GPU';

-- name: curves
SELECT c.curve, c.style AS curve_style, c.dash AS curve_dash, g.n, g.median_s AS y,
       coalesce(g.ci_lo_s, g.median_s) AS low, coalesce(g.ci_hi_s, g.median_s) AS high, g.flagged,
       iif(g.side = 'GPU', p.cpu_s / p.gpu_s, NULL) AS ratio,
       iif(g.side = 'GPU', p.cpu_s / coalesce(g.ci_hi_s, g.median_s), NULL) AS ratio_low,
       iif(g.side = 'GPU', p.cpu_s / coalesce(g.ci_lo_s, g.median_s), NULL) AS ratio_high
FROM good g JOIN curves c USING (cell) JOIN pair p USING (task, contract)
WHERE g.vendor
ORDER BY c.ord, c.dash, c.curve, g.n;

-- scalars
SELECT min(min(cpu_s, gpu_s)) AS y_least, max(max(cpu_s, gpu_s)) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM pair ORDER BY n)) AS sizes
FROM pair;
