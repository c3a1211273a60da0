-- Speed-up over one thread divided by the threads, over n, a panel for each variant and tile.
-- SPDX-License-Identifier: MIT
-- title: Efficiency: speed-up over threads
-- title.ru: Эффективность: ускорение на поток
-- caption: Efficiency: the speed-up over one thread, divided by the threads. Where a curve falls away from 1, further
--   threads are wasted.\each{ \host: at $n = \fact{n}$ on \fact{threads} threads the best is \code{family} with
--   \ratio.} A panel shows a variant and tile; the best of each variant come first, at most four
-- caption.ru: Эффективность: ускорение относительно одного потока, делённое на число потоков. Там, где кривая уходит от
--   1, дополнительные потоки пропадают.\each{ \host: при $n = \fact{n}$ на \fact{threads} потоках лучшая у
--   \code{family}, \ratio.} На панели вариант и тайл; сначала лучшие каждого варианта, не более четырёх
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
SELECT :host AS host, n, threads, translated(family) AS family, sig(gain / threads, 3) AS ratio,
       iif(rounds > 1, sig(gain_low / threads, 3), NULL) AS low,
       iif(rounds > 1, sig(gain_high / threads, 3), NULL) AS high,
       verdict(gain, iif(rounds > 1, gain_low, NULL), iif(rounds > 1, gain_high, NULL)) AS verdict,
       iif(either_flagged, 1, 0) AS flagged
FROM ended WHERE turn = 1;
