-- The median time of every cell, with its interval. SPDX-License-Identifier: MIT
-- caption: Median times at each $n$, with the wider side of the interval in per cent. A dagger marks a flagged time
-- pivot: n time
SELECT iif((SELECT count(DISTINCT problem) FROM good) > 1, g.variant, g.idea) || a.family_label || a.place_label
         AS "Variant", g.n,
       si(g.median_s, 's')
       || coalesce(' ±' || sig(100 * max(g.ci_hi_s / g.median_s - 1, 1 - g.ci_lo_s / g.median_s), 1), '')
       || iif(g.flagged, '†', '') AS time
FROM (SELECT *, NULL AS curve FROM good ORDER BY n) g JOIN named a USING (cell)
ORDER BY g.n, g.ord, g.tile, g.threads;
