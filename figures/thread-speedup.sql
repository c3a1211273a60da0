-- Speed-up over the same variant on one thread, over the threads, a panel for each variant and tile.
-- SPDX-License-Identifier: MIT
-- title: Speed-up over one thread
-- title.ru: Ускорение относительно одного потока
-- takes: threads
-- caption: Speed-up over one thread\each{. \hostbrief{}, $n = \fact{n}$, \fact{threads} threads: \code{family} gains
--   most, \ratio{} times\judged}
-- caption.ru: Ускорение относительно одного потока\each{. \hostbrief{}, $n = \fact{n}$, потоков: \fact{threads};
--   лучше всех \code{family}, \ratio{}\judged}
--
-- The base is the cell on one thread that is equal in all other axes. Of more than four sizes the figure has those that
-- were measured on most numbers of threads, the largest first.
CREATE TEMP TABLE gain AS
WITH size AS (SELECT n FROM scaled GROUP BY n ORDER BY count(DISTINCT threads) DESC, n DESC LIMIT 4)
SELECT *, dense_rank() OVER (ORDER BY n) AS size_rank FROM scaled JOIN size USING (n);

-- name: curves
SELECT 'n = ' || n AS curve, 79 + size_rank AS curve_style, 0 AS curve_dash, panel, threads, y, low, high, flagged
FROM (SELECT n, size_rank, panel, threads, gain AS y, gain_low AS low, gain_high AS high, either_flagged AS flagged
      FROM gain
      UNION
      SELECT n, size_rank, panel, 1, 1, 1, 1, 0 FROM gain)
ORDER BY n, panel, threads;

-- The time on one thread is that at the largest n of the panel.
-- name: panels
SELECT family AS curve, base_s AS curve_base, max(n) AS curve_n, panel FROM gain GROUP BY panel ORDER BY panel;

-- scalars
SELECT min(gain) AS y_least, max(gain) AS y_most,
       (SELECT group_concat(threads, ' ')
        FROM (SELECT 1 AS threads UNION SELECT threads FROM gain ORDER BY threads)) AS sizes
FROM gain;

-- facts
-- A ratio with a single run on one side has no interval.
WITH ended AS (
    SELECT *, min(rounds, base_rounds) > 1 AS has_interval,
           row_number() OVER (ORDER BY n DESC, threads DESC, gain DESC) AS turn
    FROM gain)
SELECT :host AS host, n, threads, translated(family) AS family, ratio(gain) AS ratio,
       iif(has_interval, ratio(gain_low), NULL) AS low, iif(has_interval, ratio(gain_high), NULL) AS high,
       verdict(gain, iif(has_interval, gain_low, NULL), iif(has_interval, gain_high, NULL), either_weak) AS verdict,
       either_flagged AS flagged
FROM ended WHERE turn = 1;
