-- Speed-up over the study's baseline, over n. SPDX-License-Identifier: MIT
-- title: Speed-up over the baseline
-- caption: How many times each variant is faster than the study's baseline, the dotted line at 1. A factorisation is
--   compared with the baseline of its contract. Hollow points carry a flag. Of more than eight curves the slower
--   ones are grey, and so are those on fewer threads
-- name: curves
SELECT c.curve, c.style AS curve_style, e.line_dash AS curve_dash, e.grey AS curve_grey, g.n,
       b.median_s / g.median_s AS y,
       coalesce(b.ci_lo_s, b.median_s) / coalesce(g.ci_hi_s, g.median_s) AS low,
       coalesce(b.ci_hi_s, b.median_s) / coalesce(g.ci_lo_s, g.median_s) AS high, g.flagged
FROM good g JOIN curves c USING (cell) JOIN emphasis e USING (cell) JOIN baseline b USING (task, contract)
ORDER BY c.ord, c.dash, c.curve, g.n;

-- scalars
SELECT min(b.median_s / g.median_s) AS y_least, max(b.median_s / g.median_s) AS y_most,
       (SELECT group_concat(n, ' ')
        FROM (SELECT DISTINCT g.n FROM good g JOIN baseline USING (task, contract) ORDER BY g.n)) AS sizes,
       (SELECT group_concat(idea, ', ') FROM (SELECT DISTINCT idea FROM baseline ORDER BY idea)) AS base
FROM good g JOIN baseline b USING (task, contract);
