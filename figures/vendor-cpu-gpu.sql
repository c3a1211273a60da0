-- How many times the vendor's library on the GPU is faster than the one on the CPU. SPDX-License-Identifier: MIT
-- title: Library on the CPU / library on the GPU
-- caption: How many times the vendor's library on the GPU is faster than the fastest library on the CPU of the same
--   host, without and with the copies between host and device. Below the dotted line the CPU is faster
--
-- A cell that was timed once has no time with copies.
CREATE TEMP TABLE pair AS
SELECT c.task, g.contract, c.n, g.idea, t.total, c.median_s / iif(t.total, g.total_s, g.median_s) AS y,
       coalesce(c.ci_lo_s, c.median_s) / iif(t.total, g.total_s, coalesce(g.ci_hi_s, g.median_s)) AS low,
       coalesce(c.ci_hi_s, c.median_s) / iif(t.total, g.total_s, coalesce(g.ci_lo_s, g.median_s)) AS high
FROM vendor c JOIN vendor g USING (task, contract) JOIN (SELECT 0 AS total UNION ALL SELECT 1) t
WHERE c.side = 'CPU' AND g.side = 'GPU' AND (NOT t.total OR g.total_s IS NOT NULL);

-- name: curves
SELECT iif(total, 'with copies', 'without copies') AS curve, 5 + total AS curve_style, 0 AS curve_dash, n, y, low,
       high, 0 AS flagged
FROM pair ORDER BY total, n;

-- scalars
SELECT min(y) AS y_least, max(y) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM pair ORDER BY n)) AS sizes
FROM pair;
