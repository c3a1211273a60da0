-- The median time of every cell, with its interval: lines in LaTeX. Curves with times at the same sizes stand together,
-- so that the sizes are written once, and so do the curves of a variant. SPDX-License-Identifier: MIT
-- caption: The median time of every cell, with its interval
-- caption.ru: Медиана времени каждой ячейки с интервалом
WITH timed AS (
    SELECT iif((SELECT count(DISTINCT problem) FROM good) > 1, g.variant, g.idea) AS name,
           a.given_label || a.place_label AS setting, g.ord, g.tile, g.threads, g.n,
           marked(si(g.median_s, 's')
                  || coalesce(iif(g.ci_hi_s > 11 * g.median_s, ' >1000',
                                  ' ±' || sig(100 * max(g.ci_hi_s / g.median_s - 1, 1 - g.ci_lo_s / g.median_s), 1)),
                              ''), g.flagged) AS text
    FROM good g JOIN named a USING (cell) ORDER BY g.n),
curve AS (
    SELECT name, setting, min(ord) AS ord, min(tile) AS tile, min(threads) AS threads, group_concat(n, ', ') AS sizes,
           group_concat(latex(translated(text)), '; ') AS times
    FROM timed GROUP BY name, setting),
line(first_ord, sizes, ord, name, part, tile, threads, setting, text) AS (
    SELECT min(ord), sizes, 0, '', 0, 0, 0, '', '\sizes{' || sizes || '}' FROM curve GROUP BY sizes
    UNION ALL
    SELECT min(min(ord)) OVER (PARTITION BY sizes), sizes, min(ord), name, 1, 0, 0, '',
           '\variant{' || latex(translated(name)) || '}'
    FROM curve GROUP BY sizes, name
    UNION ALL
    SELECT min(ord) OVER (PARTITION BY sizes), sizes, min(ord) OVER (PARTITION BY sizes, name), name, 2, tile, threads,
           setting, '\curve{' || latex(translated(ltrim(setting, ', '))) || '}{' || times || '}'
    FROM curve)
SELECT text FROM line ORDER BY first_ord, sizes, ord, name, part, tile, threads, setting;
