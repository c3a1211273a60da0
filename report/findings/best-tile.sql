-- Which tile is the best? SPDX-License-Identifier: MIT
-- asks.ru: Какой тайл лучше
-- says: With \code{variant}, \iffact{open}{none of \fact{tiles} tiles is known to be the fastest: tile \fact{tile},
--   with the least time,}\nofact{open}{tile \fact{tile} takes the least time \when{verdict}{faster}{of
--   }\whennot{verdict}{faster}{among }\fact{tiles} tiles: it} is \ratio{times as fast} as the next, tile
--   \fact{base_tile}\judged, and \ratio[worst_]{times as fast} as the slowest, tile \fact{worst_tile}\judged[worst_]
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}).
-- says.ru: Для \code{variant} \iffact{open}{ни один из \fact{tiles}~размеров тайла не лучше прочих наверняка: у
--   тайла \fact{tile}, быстрейшего по медиане, ускорение}\nofact{open}{наименьшее время из \fact{tiles}~испытанных
--   размеров даёт тайл \fact{tile}: ускорение} относительно следующего, тайла \fact{base_tile}, — \ratio\judged,
--   относительно худшего, тайла \fact{worst_tile}, — \ratio[worst_]\judged[worst_] (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, потоков: \fact{threads}}).
-- lacks: No kernel of a product or a factorisation was measured with more than two tiles.
-- lacks.ru: Ни одно ядро произведения или разложения не измерено более чем с двумя тайлами.
-- rank: 16
-- answer: 4
-- evidence: figure speed-by-tile
-- chapter: matmul
--
-- The facts name a study as evidence alone: captions say in each study which tile is the best.
-- facts
WITH tiled AS (
    SELECT *, max(base_place) OVER (PARTITION BY host, experiment, variant, task, threads) AS tiles,
           is_large(n, max(n) OVER (PARTITION BY host, problem, side)) AS large
    FROM versus
    WHERE idea = base AND tile <> base_tile AND place = 1 AND threads IS base_threads
      AND problem IN ('matmul', 'lu')),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, variant
                                 ORDER BY tiles DESC, x_low IS NULL, NOT large, weak IS NOT NULL, n DESC,
                                          coalesce(threads, 0) DESC, precision DESC) AS turn
    FROM tiled WHERE base_place = 2)
SELECT f.host, iif(f.verdict = 'undecided' AND w.verdict = 'undecided', 1, NULL) AS open, f.side,
       f.experiment AS study, f.variant, f.precision, f.n, f.threads, f.tiles, f.tile, f.base_tile,
       f.ratio, f.low, f.high, f.verdict, f.flagged, w.base_tile AS worst_tile, w.ratio AS worst_ratio,
       w.low AS worst_low,
       w.high AS worst_high, w.verdict AS worst_verdict, w.flagged AS worst_flagged
FROM found f JOIN tiled w ON w.host = f.host AND w.experiment = f.experiment AND w.task = f.task
  AND w.variant = f.variant AND w.threads IS f.threads AND w.base_place = f.tiles
WHERE f.turn = 1 AND f.tiles > 2
ORDER BY f.host_ord, f.side DESC, f.x_low IS NULL, NOT f.large, f.weak IS NOT NULL, f.problem DESC,
         f.idea <> 'cuda-shared', f.n DESC, f.study_ord;
