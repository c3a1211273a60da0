-- How many times the vendor's library on the GPU is faster than the one on the CPU. SPDX-License-Identifier: MIT
-- title: Library on the CPU / library on the GPU
-- title.ru: Библиотека на CPU / библиотека на GPU
-- takes: library
-- caption: \each{\hostbrief{}: at $n = \fact{n}$ \code{idea} \speed{} \code{cpu} on the CPU
--   without copies\judged\iffact{total_ratio}{, \fact{total_ratio} times with copies}. }Below the dotted line the CPU
--   is faster
-- caption.ru: \each{\hostbrief{}: при $n = \fact{n}$ \code{idea} \speed{} \code{cpu} на CPU без
--   копирования\judged\iffact{total_ratio}{, с копированием \fact{total_ratio}}. }Ниже пунктира быстрее CPU
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

-- facts
WITH last AS (
    SELECT g.n, g.idea, c.title AS cpu, c.median_s / g.median_s AS x, ratio_low(c.span, g.span) AS x_low,
           ratio_high(c.span, g.span) AS x_high,
           c.median_s / g.total_s AS with_copies, all_flags(c.flagged, g.flagged) AS flagged,
           coalesce(c.weak, g.weak) AS weak
    FROM vendor c JOIN vendor g USING (task, contract) WHERE c.side = 'CPU' AND g.side = 'GPU'
    ORDER BY g.n DESC LIMIT 1)
SELECT :host AS host, n, idea, cpu, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, weak) AS verdict,
       ratio(1 / x) AS cost_ratio, ratio(1 / x_high) AS cost_low, ratio(1 / x_low) AS cost_high,
       flagged AS cost_flagged, iif(x < 1, 1, 0) AS slower, flagged, ratio(with_copies) AS total_ratio
FROM last;
