-- The speed of the best own variant over that of the best library, over n, for each problem and precision.
-- SPDX-License-Identifier: MIT
-- title: Best own variant over the best library
-- title.ru: Лучшая наша программа и лучшая библиотека
-- takes: operations library
-- caption: Speed of the own variant over the library's\each{. \hostbrief{}, at the largest $n$: from
--   \ratio[worst_]\judged[worst_] (\fact{worst_problem} \fact{worst_precision}) to \ratio[best_]\judged[best_]
--   (\fact{best_problem} \fact{best_precision})}
-- caption.ru: Скорость относительно библиотеки\each{. \hostbrief{}, при наибольшем $n$: от
--   \ratio[worst_]\judged[worst_] (\fact{worst_problem} \fact{worst_precision}) до \ratio[best_]\judged[best_]
--   (\fact{best_problem} \fact{best_precision})}
--
CREATE TEMP TABLE drawn AS
SELECT f.*, dense_rank() OVER (ORDER BY f.problem DESC, f.precision) - 1 AS place
FROM frontier f WHERE f.threads IS (SELECT max(threads) FROM frontier);

-- name: curves
SELECT problem || ' ' || precision AS curve, 10 + place % 9 AS curve_style, 0 AS curve_dash, n, x AS y,
       coalesce(x_low, x) AS low, coalesce(x_high, x) AS high,
       all_flags(own_flagged, vendor_flagged) AS flagged
FROM drawn ORDER BY place, n;

-- scalars
SELECT min(x) AS y_least, max(x) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM drawn ORDER BY n)) AS sizes
FROM drawn;

-- facts
WITH last AS (SELECT *, max(n) OVER (PARTITION BY problem, precision) AS most FROM drawn),
ends AS (SELECT problem, precision, x, x_low, x_high, all_flags(own_flagged, vendor_flagged) AS flagged, weak
         FROM last WHERE n = most),
best AS (SELECT *, max(x) FROM ends), worst AS (SELECT *, min(x) FROM ends)
SELECT :host AS host, b.problem AS best_problem, b.precision AS best_precision, ratio(b.x) AS best_ratio,
       ratio(b.x_low) AS best_low, ratio(b.x_high) AS best_high,
       verdict(b.x, b.x_low, b.x_high, b.weak) AS best_verdict,
       b.flagged AS best_flagged, w.problem AS worst_problem, w.precision AS worst_precision,
       ratio(w.x) AS worst_ratio, ratio(w.x_low) AS worst_low, ratio(w.x_high) AS worst_high,
       verdict(w.x, w.x_low, w.x_high, w.weak) AS worst_verdict, w.flagged AS worst_flagged
FROM best b, worst w WHERE b.x IS NOT NULL;
