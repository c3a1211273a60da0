-- What do cold caches cost? SPDX-License-Identifier: MIT
-- asks.ru: Сколько стоят холодные кэши
-- says: On the \fact{side}, with its operands out of the caches, \code{idea} takes \ratio{} times as long as with hot
--   caches at $n = \fact{n}$ (\fact{precision})\iffact{least}{, and \fact{least} times at $n = \fact{least_n}$}.
-- says.ru: На \fact{side} с операндами вне кэшей \code{idea} при $n = \fact{n}$ (\fact{precision}) требует \ratio{}
--   времени с горячими кэшами\iffact{least}{, а при $n = \fact{least_n}$ — \fact{least}}.
-- rank: 28
-- chapter: matmul
-- facts
WITH conditioned AS (
    SELECT *, drop_axes(settings, 'cache') AS other FROM shown_cell WHERE problem = 'matmul'),
pair AS (
    SELECT c.*, c.median_s / b.median_s AS x, ratio_low(c.span, b.span) AS x_low, ratio_high(c.span, b.span) AS x_high,
           all_flags(c.flagged, b.flagged) AS either
    FROM conditioned c JOIN conditioned b USING (host, experiment, variant, other, machine)
    WHERE b.usual AND c.cache = 'cold' AND c.conditions = 1 AND NOT c.vendor AND c.library IS NULL),
-- The fastest own variant of each device at its largest size, where caches matter least, and at its smallest size.
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, side ORDER BY n DESC, median_s) AS turn FROM pair)
SELECT r.host, r.experiment, r.side, r.idea, r.precision, r.n, ratio(r.x) AS ratio, ratio(r.x_low) AS low,
       ratio(r.x_high) AS high, r.either AS flagged, iif(s.n < r.n, ratio(s.x), NULL) AS least,
       iif(s.n < r.n, s.n, NULL) AS least_n
FROM ranked r LEFT JOIN pair s ON s.host = r.host AND s.experiment = r.experiment AND s.variant = r.variant
  AND s.precision = r.precision AND s.threads IS r.threads
  AND s.n = (SELECT min(n) FROM pair l WHERE l.host = r.host AND l.experiment = r.experiment
               AND l.variant = r.variant AND l.precision = r.precision AND l.threads IS r.threads)
WHERE r.turn = 1 GROUP BY r.host, r.experiment, r.side ORDER BY r.host_ord, r.study_ord, r.side;
