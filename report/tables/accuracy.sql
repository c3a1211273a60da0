-- Largest error of products on tensor cores and of the library, beside their speed. SPDX-License-Identifier: MIT
-- caption: Speed against accuracy of products on tensor cores, beside the library that computes in full
--   precision.\each{ \hostbrief{}: at $N = \fact{n}$, \fact{precision}, \code{idea} \speed{} \code{library}\judged; its
--   error is \fact{error} times the library's.} \emph{Error} is the largest error that
--   verification found, in units of $u\,|A||B|$
-- caption.ru: Скорость и точность умножения на тензорных ядрах рядом с библиотекой, которая считает с полной
--   точностью.\each{ \hostbrief{}: при $N = \fact{n}$, \fact{precision}, \code{idea} \speed{} \code{library}\judged,
--   его ошибка — \fact{error} ошибки библиотеки.} \emph{Ошибка} — наибольшая найденная при
--   проверке, в единицах $u\,|A||B|$
--
-- Verification keeps the error in units of sqrt(k) u |A||B|. Each precision shows the libraries, the variants on tensor
-- cores, and the fastest variant on CUDA cores. Its library is the one that computes in full precision.
CREATE TEMP TABLE compared AS
WITH library AS (
    SELECT v.*, g.error, min(v.place) AS least FROM offered v JOIN good g USING (cell)
    WHERE v.side = 'GPU' AND g.error IS NOT NULL AND (v.precision = 'f64' OR NOT g.on_tensor)
    GROUP BY v.task),
own AS (
    SELECT variant, precision, row_number() OVER (PARTITION BY precision ORDER BY n DESC, median_s) AS place FROM good
    WHERE library IS NULL AND NOT on_tensor AND problem = 'matmul' AND side = 'GPU')
SELECT g.ord, g.precision, g.idea, g.n, coalesce(g.k, g.n) AS k, g.error, g.library IS NULL AS is_own,
       g.on_tensor, l.idea AS library, l.error AS its_error,
       l.median_s / g.median_s AS x, ratio_low(l.span, g.span) AS x_low, ratio_high(l.span, g.span) AS x_high,
       all_flags(g.flagged, l.flagged) AS flagged, coalesce(g.weak, l.weak) AS weak
FROM good g JOIN library l USING (task)
WHERE g.problem = 'matmul' AND g.error IS NOT NULL AND g.side = 'GPU'
  AND (g.library IS NOT NULL OR g.on_tensor
       OR EXISTS (SELECT 1 FROM own o WHERE o.place = 1 AND o.variant = g.variant AND o.precision = g.precision));

-- group
-- pivot: size value
SELECT precision AS "Type", idea AS "Variant", name AS "Quantity", 'N = ' || n AS size,
       CASE part WHEN 1 THEN sig(error * sqrt(k), 3) WHEN 2 THEN sig(error / its_error, 3)
           ELSE marked(ratio(x, x_low, x_high), flagged) END AS value
FROM compared JOIN (SELECT 1 AS part, 'error' AS name UNION ALL SELECT 2, 'error / library''s' UNION ALL
                    SELECT 3, 'speed / library''s')
WHERE part = 1 OR idea <> library
ORDER BY precision, ord, part, n;

-- facts
WITH last AS (
    SELECT *, row_number() OVER (PARTITION BY precision, idea ORDER BY n DESC) AS turn FROM compared
    WHERE is_own AND on_tensor)
SELECT :host AS host, n, precision, idea, library, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, weak) AS verdict,
       ratio(1 / x) AS cost_ratio, ratio(1 / x_high) AS cost_low, ratio(1 / x_low) AS cost_high,
       flagged AS cost_flagged, iif(x < 1, 1, 0) AS slower, flagged, sig(error / its_error) AS error
FROM last WHERE turn = 1 ORDER BY precision, ord LIMIT 4;
