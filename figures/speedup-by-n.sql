-- Speed-up over the study's baseline, over n. SPDX-License-Identifier: MIT
-- caption: Speed-up over the study's baseline. A factorisation is compared with the baseline of its contract
-- name: curves
SELECT c.curve, c.style AS curve_style, c.dash AS curve_dash, g.n, b.median_s / g.median_s AS y,
       coalesce(b.ci_lo_s, b.median_s) / coalesce(g.ci_hi_s, g.median_s) AS low,
       coalesce(b.ci_hi_s, b.median_s) / coalesce(g.ci_lo_s, g.median_s) AS high, g.flagged
FROM good g JOIN curves c USING (cell) JOIN baseline b USING (task, contract)
ORDER BY c.ord, c.dash, c.curve, g.n;

-- scalars
SELECT min(b.median_s / g.median_s) AS y_least, max(b.median_s / g.median_s) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM good ORDER BY n)) AS sizes,
       (SELECT group_concat(idea, ', ') FROM (SELECT DISTINCT idea FROM baseline ORDER BY idea)) AS base
FROM good g JOIN baseline b USING (task, contract);
