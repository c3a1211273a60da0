-- Roofline: measured ceilings, and each variant at the traffic that it asks for. SPDX-License-Identifier: MIT
-- title: Roofline: tiles move points
-- title.ru: Модель roofline: тайлы сдвигают точки
-- takes: operations
-- caption: The traffic that kernels ask for, and the measured ceilings\each{. \hostbrief{}, $n = \fact{n}$
--   (\fact{precision}): \code{idea} stands highest, at \fact{share}\,\% of the roof above it}
-- caption.ru: Обмен, которого требуют ядра, и измеренные пределы\each{. \hostbrief{}, $n = \fact{n}$
--   (\fact{precision}): выше всех \code{idea}, \fact{share}\,\% предела над этой точкой}
--
-- The traffic of a point is what its loads and stores ask of the memory and caches of the device: on a GPU what was
-- counted at all loads and stores of global memory, else what the bank model has for them. On the CPU tiles of A and B
-- are read for each tile of the product, and each other element once. Variants without either have no point.
CREATE TEMP TABLE asked AS
WITH main AS (
    SELECT precision FROM good WHERE unit = 'fma' GROUP BY precision ORDER BY count(*) DESC, precision LIMIT 1),
told AS (
    SELECT g.*, k.global_load_sectors + k.global_store_sectors AS counted_sectors
    FROM good g JOIN main USING (precision) LEFT JOIN counted k USING (cell)
    WHERE g.unit = 'fma' AND g.flops > 0 AND g.usual AND g.emulated = 0),
-- The model of a large grid takes a while, so that it is asked at the largest n alone.
sized AS (
    SELECT *, max(iif(counted_sectors > 0 OR library IS NULL AND (side = 'GPU' OR tile > 0 AND problem = 'matmul'), n,
                      NULL)) OVER (PARTITION BY side) AS last_n
    FROM told),
modelled AS MATERIALIZED (
    SELECT *, iif(side = 'GPU' AND counted_sectors IS NULL, known_model(variant, settings), NULL) AS model FROM sized
    WHERE n = last_n),
moved AS (
    SELECT *, coalesce(32.0 * counted_sectors,
                       32.0 * (json_extract(model, '$.global_load.sectors')
                               + json_extract(model, '$.global_store.sectors')),
                       iif(backend = 'cpu' AND problem = 'matmul' AND tile > 0,
                           iif(precision = 'f64', 8, 4)
                           * (1.0 * m * n * k / tile + 1.0 * m * n * k / coalesce(row_tile, tile) + 2.0 * m * n),
                           NULL)) AS traffic
    FROM modelled)
SELECT *, gflops * 1e9 * median_s / traffic AS x,
       dense_rank() OVER (ORDER BY side) AS panel,
       row_number() OVER (PARTITION BY variant, tile ORDER BY median_s, cell) AS place,
       count(*) OVER (PARTITION BY variant) AS settings_of
FROM moved WHERE traffic > 0;

-- At most eight variants: the fastest.
CREATE TEMP TABLE point AS
SELECT * FROM asked
WHERE place = 1 AND variant IN (SELECT variant FROM asked WHERE place = 1 GROUP BY variant
                                ORDER BY max(gflops) DESC LIMIT 8);

-- Roofs that no point passes. A slope is the highest rate of a probe on the most threads of the study: of arrays in
-- memory, of arrays in the caches, and on a GPU of shared memory, which has the data path of the L1 cache.
CREATE TEMP TABLE slope AS
WITH used AS (SELECT panel, side, max(coalesce(threads, 1)) AS threads FROM point GROUP BY panel),
probed AS (
    SELECT u.panel, c.side, 'memory' AS name, c.gbs FROM ceiling c JOIN used u USING (side)
    WHERE c.problem = 'read' AND (c.side = 'GPU' OR c.threads = u.threads)
    UNION ALL
    SELECT u.panel, c.side, iif(c.side = 'GPU', 'L1', 'caches'), c.gbs FROM described c JOIN used u USING (side)
    WHERE c.host = :host AND c.usual AND c.status = 'ok' AND NOT c.probe
      AND iif(c.side = 'GPU', c.problem = 'smem',
              c.problem = 'read' AND c.threads = u.threads AND c.machine IN (SELECT machine FROM point)))
SELECT panel, side, name, max(gbs) AS gbs FROM probed GROUP BY panel, name;
DELETE FROM slope
WHERE EXISTS (SELECT 1 FROM point p WHERE p.panel = slope.panel AND p.gflops > p.x * slope.gbs)
   OR name = 'caches' AND gbs < 1.2 * (SELECT gbs FROM slope m WHERE m.panel = slope.panel AND m.name = 'memory');

CREATE TEMP TABLE flat AS
SELECT p.panel, iif(c.tensor, 'tensor cores', 'FMA') AS name, max(c.gflops) AS gflops
FROM ceiling c JOIN (SELECT panel, side, precision, max(coalesce(threads, 1)) AS threads, max(on_tensor) AS on_tensor,
                            max(gflops) AS most FROM point GROUP BY panel) p USING (side, precision)
WHERE c.problem = 'fma' AND (c.side = 'GPU' OR c.threads = p.threads) AND c.gflops >= p.most
  AND c.tensor <= coalesce(p.on_tensor, 0)
GROUP BY p.panel, c.tensor;

CREATE TEMP TABLE kind AS SELECT max(precision = 'i32') AS of_integers FROM point;

-- name: curves
SELECT iif((SELECT count(DISTINCT problem) FROM point) > 1, variant, idea) AS curve, style AS curve_style,
       shift AS curve_dash, panel, iif(settings_of > 1, tile, NULL) AS tile, x, gflops AS y, flagged
FROM point JOIN (SELECT cell, style, shift FROM curves) USING (cell) ORDER BY ord, variant, x;

-- Roofs of two panels have the same name.
-- name: slopes
SELECT panel || name AS curve, name AS curve_name, panel AS curve_panel, gbs AS curve_value,
       si(1e9 * gbs, 'B/s') AS curve_text, 0 AS unused
FROM slope ORDER BY panel, gbs;

-- name: flats
SELECT panel || name AS curve, name AS curve_name, panel AS curve_panel, gflops AS curve_value,
       si(1e9 * gflops, iif((SELECT of_integers FROM kind), 'op/s', 'FLOP/s')) AS curve_text, 0 AS unused
FROM flat ORDER BY panel, gflops;

-- name: ridges
SELECT s.panel, f.gflops / s.gbs AS x, f.gflops AS y FROM slope s JOIN flat f USING (panel) ORDER BY 1, 2;

-- name: panels
SELECT side AS curve, panel FROM point GROUP BY panel ORDER BY panel;

-- scalars
SELECT min(x) AS x_least, max(x) AS x_most, min(gflops) AS y_least, max(gflops) AS y_most, of_integers
FROM point, kind;

-- facts
WITH bound AS (
    SELECT p.*, min(coalesce((SELECT max(gbs) FROM slope s WHERE s.panel = p.panel) * p.x, 1e99),
                    (SELECT min(f.gflops) FROM flat f WHERE f.panel = p.panel)) AS top,
           row_number() OVER (PARTITION BY p.panel ORDER BY p.gflops DESC) AS turn
    FROM point p)
SELECT :host AS host, side, n, precision, idea, tile, marked(sig(100 * gflops / top), flagged) AS share
FROM bound WHERE turn = 1 ORDER BY side DESC, panel LIMIT 1;
