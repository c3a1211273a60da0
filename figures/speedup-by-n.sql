-- Speed-up over the study's baseline, over n. SPDX-License-Identifier: MIT
-- title: Speed-up over the baseline
-- title.ru: Ускорение относительно базового варианта
-- caption: Speed-up over the baseline\each{. \hostbrief{}: at $n = \fact{n}$\iffact{type}{ (\fact{type})} \code{idea}
--   is \ratio{} times as fast as \code{base} (\fact{base_time})\judged}
-- caption.ru: Ускорение относительно базового варианта\each{. \hostbrief{}, $n = \fact{n}$\iffact{type}{
--   (\fact{type})}: у \code{idea} \ratio{} скорости \code{base} (\fact{base_time})\judged}
--
-- name: curves
SELECT c.drawn AS curve, c.drawn_style AS curve_style, e.line_dash AS curve_dash, e.grey AS curve_grey, g.n,
       b.median_s / g.median_s AS y,
       coalesce(ratio_low(b.span, g.span), b.median_s / g.median_s) AS low,
       coalesce(ratio_high(b.span, g.span), b.median_s / g.median_s) AS high, g.flagged
FROM good g JOIN curves c USING (cell) JOIN emphasis e USING (cell) JOIN baseline b USING (task, contract)
WHERE NOT c.beaten
ORDER BY c.drawn_ord, iif(c.merged IS NULL, c.dash, c.family_dash), c.drawn, g.n;

-- scalars
SELECT min(b.median_s / g.median_s) AS y_least, max(b.median_s / g.median_s) AS y_most,
       (SELECT group_concat(n, ' ')
        FROM (SELECT DISTINCT g.n FROM good g JOIN baseline USING (task, contract) ORDER BY g.n)) AS sizes,
       (SELECT group_concat(idea, ', ') FROM (SELECT DISTINCT idea FROM baseline ORDER BY idea)) AS base
FROM good g JOIN baseline b USING (task, contract);

-- facts
SELECT :host AS host, g.n, iif((SELECT count(DISTINCT precision) FROM good) > 1, g.precision, NULL) AS type, g.idea,
       b.title AS base, marked(si(b.median_s, 's'), b.flagged) AS base_time,
       ratio(b.median_s / g.median_s) AS ratio, ratio(ratio_low(b.span, g.span)) AS low,
       ratio(ratio_high(b.span, g.span)) AS high,
       verdict(b.span, g.span, coalesce(b.weak, g.weak)) AS verdict,
       all_flags(g.flagged, b.flagged) AS flagged
FROM good g JOIN baseline b USING (task, contract)
WHERE NOT g.vendor AND g.library IS NULL AND g.variant <> b.variant ORDER BY g.n DESC, g.median_s LIMIT 1;
