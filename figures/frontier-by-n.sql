-- The best own variant in per cent of the best library over n, for each problem and precision.
-- SPDX-License-Identifier: MIT
-- title: Best own variant, in % of the best library
-- title.ru: Лучший свой вариант и лучшая библиотека
-- caption: Speed of the own variant over the library's at the largest $n$.\each{ \hostbrief{}: \fact{worst_problem}
--   \fact{worst_precision} \ratio[worst_]\judged[worst_], \fact{best_problem} \fact{best_precision}
--   \ratio[best_]\judged[best_].} Points are medians of the rounds' ratios, bands their range
-- caption.ru: Скорость собственного варианта относительно библиотеки при наибольшем $n$.\each{ \hostbrief{}:
--   \fact{worst_problem} \fact{worst_precision} \ratio[worst_]\judged[worst_], \fact{best_problem}
--   \fact{best_precision} \ratio[best_]\judged[best_].} Точки — медианы отношений по раундам, полосы — их размах
--
-- In a round both ran side by side, so that both met the same disturbances.
CREATE TEMP TABLE drawn AS
SELECT f.*, dense_rank() OVER (ORDER BY f.problem DESC, f.precision) - 1 AS place, 100 * share AS percent
FROM frontier f WHERE f.threads IS (SELECT max(threads) FROM frontier);

-- name: curves
SELECT problem || ' ' || precision AS curve, 10 + place % 9 AS curve_style, 0 AS curve_dash, n, percent AS y,
       100 * low AS low, 100 * high AS high, own_flagged OR vendor_flagged AS flagged
FROM drawn ORDER BY place, n;

-- scalars
SELECT min(percent) AS y_least, max(percent) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM drawn ORDER BY n)) AS sizes
FROM drawn;

-- facts
WITH last AS (SELECT *, max(n) OVER (PARTITION BY problem, precision) AS most FROM drawn),
ends AS (SELECT problem, precision, share, iif(rounds > 1, low, NULL) AS low, iif(rounds > 1, high, NULL) AS high,
                iif(own_flagged OR vendor_flagged, 1, 0) AS flagged FROM last WHERE n = most),
best AS (SELECT *, max(share) FROM ends), worst AS (SELECT *, min(share) FROM ends)
SELECT :host AS host, b.problem AS best_problem, b.precision AS best_precision, sig(b.share, 3) AS best_ratio,
       sig(b.low, 3) AS best_low, sig(b.high, 3) AS best_high, verdict(b.share, b.low, b.high) AS best_verdict,
       b.flagged AS best_flagged, w.problem AS worst_problem, w.precision AS worst_precision,
       sig(w.share, 3) AS worst_ratio, sig(w.low, 3) AS worst_low, sig(w.high, 3) AS worst_high,
       verdict(w.share, w.low, w.high) AS worst_verdict, w.flagged AS worst_flagged
FROM best b, worst w WHERE b.share IS NOT NULL;
