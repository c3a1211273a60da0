-- Speed-up over the same variant on one thread, over n, a panel for each variant and tile. SPDX-License-Identifier: MIT
-- title: Speed-up over one thread
-- title.ru: Ускорение относительно одного потока
-- takes: threads
-- caption: With perfect scaling a curve stands as high as its threads.\each{ \hostbrief{}: at $n = \fact{n}$ on
--   \fact{threads} threads \code{family} gains most, \ratio{} times\judged.} The panels are the best variants and tiles
-- caption.ru: При идеальном масштабировании кривая стоит на высоте числа потоков.\each{ \hostbrief{}: при $n =
--   \fact{n}$ на \fact{threads} потоках наибольшее ускорение у \code{family}, \ratio\judged.} На панелях лучшие
--   варианты и тайлы
--
-- The base is the cell on one thread that is equal in all other axes.
-- name: curves
SELECT threads || ' threads' AS curve, 9 + dense_rank() OVER (ORDER BY threads) AS curve_style, 0 AS curve_dash,
       panel, n, gain AS y, gain_low AS low, gain_high AS high, either_flagged
FROM scaled ORDER BY threads, panel, n;

-- name: panels
SELECT DISTINCT family AS curve, panel FROM scaled ORDER BY panel;

-- scalars
SELECT min(gain) AS y_least, max(gain) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM scaled ORDER BY n)) AS sizes
FROM scaled;

-- facts
WITH ended AS (SELECT *, row_number() OVER (ORDER BY n DESC, threads DESC, gain DESC) AS turn FROM scaled)
SELECT :host AS host, n, threads, translated(family) AS family, ratio(gain) AS ratio,
       iif(rounds > 1, ratio(gain_low), NULL) AS low,
       iif(rounds > 1, ratio(gain_high), NULL) AS high,
       verdict(gain, iif(rounds > 1, gain_low, NULL), iif(rounds > 1, gain_high, NULL), either_weak) AS verdict,
       either_flagged AS flagged
FROM ended WHERE turn = 1;
