-- GFLOP/s of the kernels A, B and B* over n: the plot of table lab5-5.
-- problems: aat
-- SPDX-License-Identifier: MIT
-- title: What the transposed tile costs: A, B, B*
-- title.ru: Цена транспонированного тайла: A, B, B*
-- caption: Rate of A, B and B* from $2n^3$ operations; A loads its tile transposed, B stores it so, B* pads it\each{.
--   \hostbrief{}: at $n = \fact{n}$ B* is \ratio{} times as fast as B\judged, and \ratio[a_] times as fast as
--   A\judged[a_]}
-- caption.ru: Скорость A, B и B* из расчёта $2n^3$ операций\each{. \hostbrief{}: при $n = \fact{n}$ скорость B* —
--   \ratio{} скорости B\judged{} и \ratio[a_] скорости A\judged[a_]}
CREATE TEMP TABLE three AS
SELECT g.*, c.style, 2e-9 * g.n * g.n * g.n / g.median_s AS rate
FROM good g JOIN curves c USING (cell)
WHERE g.idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad') AND g.tile = 32 AND coalesce(g.padding, 1) = 1;

-- name: curves
SELECT CASE idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' ELSE 'B*' END || ' (' || idea || ')' AS curve,
       style AS curve_style, 0 AS curve_dash, n, rate AS y, rate_low(rate, span) AS low,
       rate_high(rate, span) AS high, flagged
FROM three ORDER BY precision, ord, n;

-- scalars
SELECT min(rate) AS y_least, max(rate) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM three ORDER BY n)) AS sizes
FROM three;

-- facts
WITH pair AS (
    SELECT p.n, b.median_s / p.median_s AS x, ratio_low(b.span, p.span) AS x_low, ratio_high(b.span, p.span) AS x_high,
           all_flags(b.flagged, p.flagged) AS flagged, coalesce(b.weak, p.weak) AS weak, a.median_s / p.median_s AS y,
           ratio_low(a.span, p.span) AS y_low, ratio_high(a.span, p.span) AS y_high,
           all_flags(a.flagged, p.flagged) AS a_flagged, coalesce(a.weak, p.weak) AS a_weak
    FROM three p JOIN three b ON b.idea = 'cuda-b' AND b.task = p.task
    JOIN three a ON a.idea = 'cuda-a' AND a.task = p.task
    WHERE p.idea = 'cuda-b-pad' ORDER BY p.n DESC LIMIT 1)
SELECT :host AS host, n, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high,
       verdict(x, x_low, x_high, weak) AS verdict, flagged, ratio(y) AS a_ratio, ratio(y_low) AS a_low,
       ratio(y_high) AS a_high, verdict(y, y_low, y_high, a_weak) AS a_verdict, a_flagged
FROM pair;
