-- Time that computing one triangle of a symmetric product saves. SPDX-License-Identifier: MIT
-- problems: aat
-- caption: Speed of one triangle of $C = AA^T$ over that of both, and what half of the operations allows\each{.
--   \hostbrief{}, $N = \fact{n}$: \code{half} \ratio{} of \fact{allowed}\judged}
-- caption.ru: Ускорение от одного треугольника $C = AA^T$ и его предел\each{. \hostbrief{}, $N =
--   \fact{n}$: \code{half} — \ratio{} из \fact{allowed}\judged}
CREATE TEMP TABLE pair AS
WITH fastest AS (SELECT *, min(median_s) AS least FROM good WHERE coalesce(padding, 1) = 1
                 GROUP BY idea, task, tile),
both AS (
    SELECT h.idea || coalesce(', tile ' || h.tile, '') AS half, f.idea AS whole, h.ord, h.n, coalesce(h.k, h.n) AS k,
           h.tile, h.precision,
           h.median_s AS half_s, f.median_s AS whole_s, f.median_s / h.median_s AS x,
           ratio_low(f.span, h.span) AS x_low, ratio_high(f.span, h.span) AS x_high,
           h.flagged AS half_flag, f.flagged AS whole_flag, all_flags(f.flagged, h.flagged) AS flagged,
           coalesce(f.weak, h.weak) AS weak
    FROM fastest h JOIN fastest f ON f.task = h.task AND f.tile IS h.tile
        AND (h.idea = 'cuda-sym' AND f.idea = 'cuda-b-pad'
             OR h.vendor AND f.vendor AND NOT f.halved AND f.library = h.library AND f.side = h.side)
    WHERE h.halved)
SELECT * FROM both;

-- group
SELECT half AS "One triangle", whole AS "Both", n AS "N", marked(si(half_s, 's'), half_flag) AS "Time",
       marked(si(whole_s, 's'), whole_flag) AS "Both's",
       marked(ratio(x, x_low, x_high), flagged) AS "Time ratio",
       si(n * (n + 1.0) * k, '') AS "n²(n+1)", si(2.0 * n * n * k, '') AS "2n³", sig(2.0 * n / (n + 1), 4) AS "Ratio"
FROM pair ORDER BY precision, ord, tile DESC, n;

-- facts
SELECT :host AS host, translated(half) AS half, n, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, weak) AS verdict, flagged,
       sig(2.0 * n / (n + 1), 3) AS allowed
FROM pair ORDER BY half NOT LIKE 'cuda%', n DESC, precision LIMIT 1;
