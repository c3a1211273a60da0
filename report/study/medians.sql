-- The median time of every cell, with its interval: a line in LaTeX for each curve. SPDX-License-Identifier: MIT
-- caption: The median time of every cell, with its interval
-- caption.ru: Медиана времени каждой ячейки с интервалом
SELECT '\curve{' || latex(translated(curve)) || '}{' || group_concat(latex(translated(text)), ';\allowbreak\ ') || '}'
FROM (SELECT iif((SELECT count(DISTINCT problem) FROM good) > 1, g.variant, g.idea) || a.family_label || a.place_label
               AS curve, g.ord, g.tile, g.threads,
             g.n || ': ' || si(g.median_s, 's')
             || coalesce(' ±' || sig(100 * max(g.ci_hi_s / g.median_s - 1, 1 - g.ci_lo_s / g.median_s), 1), '')
             || iif(g.flagged, '†', '') AS text
      FROM (SELECT *, NULL AS curve FROM good) g JOIN named a USING (cell) ORDER BY g.n)
GROUP BY curve ORDER BY min(ord), tile, threads, curve;
