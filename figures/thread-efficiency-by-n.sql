-- Speed-up over one thread divided by the threads, over n, a panel for each variant and tile.
-- SPDX-License-Identifier: MIT
-- title: Efficiency: speed-up over threads
-- title.ru: Эффективность: ускорение на поток
-- takes: threads
-- caption: Efficiency is the speed-up over the threads.\each{ \hostbrief{}: at $n = \fact{n}$ on \fact{threads} threads
--   the best is \code{family} with \ratio.} Below 1, threads are wasted
-- caption.ru: Эффективность — ускорение на поток.\each{ \hostbrief{}: при $n = \fact{n}$ на \fact{threads} потоках
--   лучшая у \code{family}, \ratio.} Ниже 1 часть мощности потоков теряется
--
-- The base is the cell on one thread that is equal in all other axes.
-- name: curves
SELECT threads || ' threads' AS curve, 9 + dense_rank() OVER (ORDER BY threads) AS curve_style, 0 AS curve_dash,
       panel, n, gain / threads AS y, gain_low / threads AS low, gain_high / threads AS high, either_flagged
FROM scaled ORDER BY threads, panel, n;

-- name: panels
SELECT DISTINCT family AS curve, panel FROM scaled ORDER BY panel;

-- scalars
SELECT min(gain / threads) AS y_least, max(gain / threads) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM scaled ORDER BY n)) AS sizes
FROM scaled;

-- facts
WITH ended AS (SELECT *, row_number() OVER (ORDER BY n DESC, threads DESC, gain DESC) AS turn FROM scaled)
SELECT :host AS host, n, threads, translated(family) AS family, ratio(gain / threads) AS ratio,
       iif(rounds > 1, ratio(gain_low / threads), NULL) AS low,
       iif(rounds > 1, ratio(gain_high / threads), NULL) AS high,
       verdict(gain, iif(rounds > 1, gain_low, NULL), iif(rounds > 1, gain_high, NULL), either_weak) AS verdict,
       either_flagged AS flagged
FROM ended WHERE turn = 1;
