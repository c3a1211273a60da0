-- Per cent of the measured peak over n. SPDX-License-Identifier: MIT
-- title: Share of the measured FMA peak
-- title.ru: Доля измеренного пика FMA
-- takes: operations
-- caption: What each variant leaves of the machine\each{. \hostbrief{}: at $n = \fact{n}$ \code{idea} has the largest
--   share of the peak, \fact{share}\,\%}
-- caption.ru: Что вариант оставляет от машины\each{. \hostbrief{}: при $n = \fact{n}$ наибольшая доля пика у
--   \code{idea}, \fact{share}\,\%}
--
-- name: curves
SELECT c.drawn AS curve, c.drawn_style AS curve_style, e.line_dash AS curve_dash, e.grey AS curve_grey, g.n,
       100 * g.gflops / p.gflops AS y,
       rate_low(100 * g.gflops / p.gflops, g.span) AS low, rate_high(100 * g.gflops / p.gflops, g.span) AS high,
       g.flagged
FROM good g JOIN curves c USING (cell) JOIN emphasis e USING (cell) JOIN peak p USING (cell)
WHERE p.gflops IS NOT NULL AND NOT c.beaten
ORDER BY c.drawn_ord, iif(c.merged IS NULL, c.dash, c.family_dash), c.drawn, g.n;

-- scalars
SELECT min(100 * g.gflops / p.gflops) AS y_least, max(100 * g.gflops / p.gflops) AS y_most,
       (SELECT group_concat(n, ' ')
        FROM (SELECT DISTINCT g.n FROM good g JOIN peak p USING (cell) WHERE p.gflops IS NOT NULL ORDER BY g.n))
       AS sizes,
       coalesce((SELECT 'A probe is broken: ' || c.curve || ' is above the measured peak'
                 FROM good b JOIN peak k USING (cell) JOIN curves c USING (cell)
                     JOIN peaks a USING (host, experiment, cell)
                 JOIN ceilings o ON o.rowid = a.of_peak
                 WHERE k.broken = 'kernel' ORDER BY b.gflops / o.gflops DESC LIMIT 1),
                (SELECT 'A probe is broken: fewer threads have a higher peak' FROM peak
                    WHERE broken = 'threads' LIMIT 1),
                '') AS warning
FROM good g JOIN peak p USING (cell);

-- facts
SELECT :host AS host, n, idea, marked(sig(p.share), flagged) AS share FROM good JOIN peak p USING (cell)
WHERE p.share IS NOT NULL ORDER BY n DESC, p.share DESC LIMIT 1;
