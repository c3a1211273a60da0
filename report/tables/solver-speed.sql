-- Time of a sweep of each solver, its bandwidth, and ratios to the library and to Jacobi. SPDX-License-Identifier: MIT
-- problems: jacobi seidel
-- caption: Time of a sweep\each{. \hostbrief{}, $n = \fact{n}$: \code{variant} is \ratio{} times as fast as
--   \code{library}\judged}
-- caption.ru: Время итерации\each{. \hostbrief{}, $n = \fact{n}$: у \code{variant} \ratio{} скорости
--   \code{library}\judged}
CREATE TEMP TABLE sweep AS
SELECT *, replace(task, problem || ' ', ' ') AS size, median_s / iterations AS one_s,
       span(median_s / iterations, ci_lo_s / iterations, ci_hi_s / iterations) AS one_span
FROM good WHERE solver;

CREATE TEMP TABLE jacobi AS
SELECT size, side, threads, min(one_s) AS one_s, one_span, flagged FROM sweep WHERE problem = 'jacobi'
GROUP BY size, side, threads;

SELECT s.variant || iif((SELECT count(DISTINCT threads) FROM sweep) > 1, coalesce(' × ' || s.threads, ''),
                        '') AS "Variant", s.n AS "n", marked(si(s.one_s, 's'), s.flagged) AS "Time a sweep",
       si(1e9 * s.gbs, 'B/s') AS "Reads of A", sig(100 * s.gbs / r.gbs) AS "% of read",
       -- The library's operations stand in its own row.
       iif(s.variant = v.variant, NULL, replace(replace(v.label, '-gemv', ''), '-trsv', '')) AS "Library",
       iif(s.variant = v.variant, NULL, marked(ratio(v.span, s.span), s.flagged, v.flagged)) AS "Speed/library's",
       iif(s.problem = 'jacobi', NULL, marked(ratio(s.one_span, j.one_span), s.flagged, j.flagged)) AS "Sweep/Jacobi's"
FROM sweep s LEFT JOIN vendor v USING (task, side, contract)
LEFT JOIN peak r USING (cell)
LEFT JOIN jacobi j ON j.size = s.size AND j.side = s.side AND j.threads IS s.threads
-- Of the libraries the fastest has a row, on its fastest number of threads.
WHERE s.n IN ((SELECT min(n) FROM sweep), (SELECT max(n) FROM sweep o WHERE o.side = s.side AND o.problem = s.problem))
  AND (NOT s.vendor OR s.cell = v.cell)
ORDER BY s.side, s.ord, s.variant, s.threads, s.n;

-- facts
WITH pair AS (
    SELECT s.variant, s.problem, s.n, s.ord, v.title AS library, v.median_s / s.median_s AS x,
           ratio_low(v.span, s.span) AS x_low, ratio_high(v.span, s.span) AS x_high,
           all_flags(s.flagged, v.flagged) AS flagged, coalesce(s.weak, v.weak) AS weak,
           row_number() OVER (PARTITION BY s.problem ORDER BY s.side DESC, s.n DESC, s.median_s) AS turn
    FROM sweep s JOIN vendor v USING (task, side, contract) WHERE NOT s.vendor)
SELECT :host AS host, variant, n, library, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, weak) AS verdict, flagged
FROM pair WHERE turn = 1 ORDER BY ord LIMIT 1;
