-- Integer product over n and tile on four platforms, the source's milliseconds beside ours.
-- problems: matmul
-- SPDX-License-Identifier: MIT
-- caption: The source's table 2.3.1 (columns p) beside ours, in milliseconds with copies\anyfact{brief}{ (the site has
--   all tiles)}\each{. \hostbrief{}: at $N = \fact{n}$, tile \fact{tile} the tiled GPU program takes \fact{ours}, the
--   source's \fact{theirs}}
-- caption.ru: Таблица 2.3.1 источника (столбцы «ист.») рядом с нашей, миллисекунды с копированием\anyfact{brief}{ (все
--   тайлы — на сайте)}\each{. \hostbrief{}: при $N = \fact{n}$ и тайле \fact{tile} программе для GPU с тайлами нужно
--   \fact{ours}, в источнике \fact{theirs}}
--
-- GPU times include upload and download. A host has those columns of the source beside which it has times. In a report
-- of many studies the map of the tiles stands beside this table, which has the smallest, the largest and the fastest.
-- group
WITH ours AS (
    SELECT n, tile, idea, 1000 * min(coalesce(total_s, median_s)) AS ms, flagged FROM good
    WHERE idea IN ('seq-ijk', 'seq-tiled-ijk', 'cuda-global', 'cuda-shared') GROUP BY n, tile, idea),
points AS (SELECT DISTINCT n, tile FROM ours WHERE tile IS NOT NULL),
fastest AS (SELECT n, tile, min(ms) FROM ours WHERE tile IS NOT NULL GROUP BY n, idea)
SELECT p.n AS "N", p.tile AS "tile",
       iif('seq-ijk' IN (SELECT idea FROM ours), sig(q.cpu_ms, 3), NULL) AS "CPU p",
       (SELECT marked(sig(min(ms)), flagged) FROM ours WHERE idea = 'seq-ijk' AND n = p.n) AS "CPU",
       iif('seq-tiled-ijk' IN (SELECT idea FROM ours), sig(q.cpu_tiled_ms, 3), NULL) AS "CPU tiled p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'seq-tiled-ijk' AND n = p.n AND tile = p.tile)
         AS "CPU tiled",
       iif('cuda-global' IN (SELECT idea FROM ours), sig(q.cuda_ms, 3), NULL) AS "GPU p",
       (SELECT marked(sig(min(ms)), flagged) FROM ours WHERE idea = 'cuda-global' AND n = p.n
           AND coalesce(tile, p.tile) = p.tile)
         AS "GPU",
       iif('cuda-shared' IN (SELECT idea FROM ours), sig(q.cuda_tiled_ms, 3), NULL) AS "GPU tiled p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'cuda-shared' AND n = p.n AND tile = p.tile)
         AS "GPU tiled"
FROM points p LEFT JOIN granular_matmul_int32 q ON q.n = p.n AND q.tile = p.tile
WHERE NOT EXISTS (SELECT 1 FROM brief) OR (p.n, p.tile) IN (SELECT n, tile FROM fastest)
   OR p.tile IN (SELECT min(tile) FROM points UNION SELECT max(tile) FROM points)
ORDER BY p.n, p.tile;

-- facts
SELECT :host AS host, p.n, p.tile, marked(si(g.total_s, 's'), g.flagged) AS ours,
       si(p.cuda_tiled_ms / 1000.0, 's') AS theirs, (SELECT max(yes) FROM brief) AS brief
FROM granular_matmul_int32 p JOIN good g ON g.idea = 'cuda-shared' AND g.n = p.n AND g.tile = p.tile
WHERE g.total_s IS NOT NULL AND p.cuda_tiled_ms IS NOT NULL ORDER BY p.n DESC, p.tile DESC LIMIT 1;
