-- The same algorithm in OpenCL, in SYCL and in the device's own language, on each device. SPDX-License-Identifier: MIT
-- problems: matmul aat
-- caption: One algorithm in several languages; what untiled kernels load, and what memory gives\each{. \fact{side}:
--   \code{idea} \fact{loaded}, \code{twin} \fact{twin_loaded}\iffact{readable}{, memory \fact{readable}}}
-- caption.ru: Один алгоритм на разных языках; сколько байтов в секунду запрашивают ядра без тайлов и
--   сколько даёт память\each{.
--   \fact{side}: \code{idea} \fact{loaded}, \code{twin} \fact{twin_loaded}\iffact{readable}{, память \fact{readable}}}
--
-- `reuse`: 1 where a tile is loaded once for all its rows, so that an element is loaded once for each tile.
CREATE TEMP TABLE twins AS
WITH twin(place, problem, idea, other, reuse) AS (VALUES
    (1, 'matmul', 'opencl-global', 'cuda-global', 0), (2, 'matmul', 'opencl-global', 'omp-ijk', 0),
    (3, 'matmul', 'opencl-tiled', 'cuda-shared', 1), (4, 'matmul', 'opencl-tiled', 'omp-tiled', 1),
    (5, 'aat', 'opencl-b', 'cuda-b', 1), (6, 'aat', 'opencl-b-pad', 'cuda-b-pad', 1),
    (7, 'matmul', 'sycl-global', 'cuda-global', 0), (8, 'matmul', 'sycl-global', 'omp-ijk', 0),
    (9, 'matmul', 'sycl-tiled', 'cuda-shared', 1), (10, 'matmul', 'sycl-tiled', 'omp-tiled', 1),
    (11, 'matmul', 'sycl-tiled', 'opencl-tiled', 1)),
quickest AS (
    SELECT *, row_number() OVER (PARTITION BY variant, device_id, task ORDER BY median_s, ord) AS turn FROM good),
pair AS (
    SELECT t.*, o.side, o.n, o.device_id, o.cell AS cell, c.cell AS other_cell,
           row_number() OVER (PARTITION BY t.place, o.device_id
                              ORDER BY o.ci_lo_s IS NULL OR c.ci_lo_s IS NULL, o.n DESC) AS turn
    FROM twin t JOIN quickest o ON o.problem = t.problem AND o.idea = t.idea AND o.turn = 1
    JOIN quickest c ON c.problem = t.problem AND c.idea = t.other AND c.task = o.task AND c.side = o.side
      AND c.turn = 1),
both AS (
    SELECT place, device_id, reuse, cell, other_cell, 0 AS is_other FROM pair WHERE turn = 1
    UNION ALL
    SELECT place, device_id, reuse, other_cell, NULL, 1 FROM pair WHERE turn = 1)
SELECT b.*, g.device_id AS own_device, g.side, g.variant, g.idea, g.n, g.tile, g.median_s, g.gflops, g.flagged,
       1e9 * k.executed * z.bytes / iif(reuse, g.tile, 1) AS loaded, p.share, p.executed_share,
       all_flags(g.flagged, c.flagged) AS either, g.median_s / c.median_s AS x, ratio_low(g.span, c.span) AS x_low,
       ratio_high(g.span, c.span) AS x_high
FROM both b JOIN good g USING (cell) JOIN peaks k USING (host, experiment, cell) LEFT JOIN peak p USING (cell)
LEFT JOIN good c ON c.cell = b.other_cell
JOIN (SELECT 'f32' AS precision, 4 AS bytes UNION ALL SELECT 'f64', 8 UNION ALL SELECT 'i32', 4) z
  ON z.precision = g.precision;

-- group
-- align: llrrrrrrrr
SELECT side || coalesce(', ' || own_device, '') AS "Device",
       variant AS "Variant", n AS "n", tile AS "Tile", marked(si(median_s, 's'), flagged) AS "Time",
       sig(gflops) AS "GFLOP/s",
       sig(share) AS "% of peak", sig(executed_share) AS "% executed", si(loaded, 'B/s') AS "Loaded",
       marked(ratio(x, x_low, x_high), either) AS "Ratio"
FROM twins ORDER BY side DESC, place, is_other;

-- facts
-- The untiled kernel of OpenCL or SYCL on the GPU, or else on the CPU, its twin, and what memory was measured to give.
SELECT :host AS host, o.side, o.idea, marked(si(o.loaded, 'B/s'), o.flagged) AS loaded, t.idea AS twin,
       marked(si(t.loaded, 'B/s'), t.flagged) AS twin_loaded,
       (SELECT marked(si(1e9 * max(c.gbs), 'B/s'), c.flagged) FROM ceiling c
        WHERE c.problem = 'read' AND c.side = o.side) AS readable
FROM twins o JOIN twins t ON t.cell = o.other_cell
WHERE NOT o.reuse AND NOT o.is_other AND t.is_other ORDER BY o.side DESC, o.place LIMIT 1;
