-- Roofline: measured ceilings, and each variant at its arithmetic intensity. SPDX-License-Identifier: MIT
-- title: Roofline: measured roofs of the devices
-- title.ru: Roofline: измеренные пределы устройств
-- takes: operations
-- caption: \each{\hostbrief{} \fact{side}: at the largest $n$, \fact{n}, \code{idea} stands highest\iffact{share}{, at
--   \fact{share}\,\% of \when{bound}{memory}{the bandwidth}\when{bound}{arithmetic}{the peak of its
--   unit}}\when{broken}{1}{; its peak is unknown, as the probe is broken}.\iffact{crossed}{ Crosses: the traffic that
--   was counted.} }A point below the slope is bounded by memory, one below the level part by arithmetic
-- caption.ru: \each{\hostbrief{}, \fact{side}: при наибольшем $n = \fact{n}$ выше всех \code{idea}\iffact{share}{,
--   \fact{share}\,\% \when{bound}{memory}{пропускной способности}\when{bound}{arithmetic}{пика его
--   устройства}}\when{broken}{1}{; его пик неизвестен, проба неисправна}.\iffact{crossed}{ Кресты: обмен с памятью по
--   счётчикам.} }Точку под наклонной линией ограничивает память, под горизонтальной — арифметика
--
-- The roof of a device belongs to its CUDA cores, or to the most threads of the study. The roof of a broken probe is
-- drawn too, for the points to stand beside; the caption then tells no share of it.
CREATE TEMP TABLE roof AS
SELECT p.side, iif(p.side = 'GPU', 2, 1) AS device_number, p.precision, p.threads, p.gflops,
       (SELECT max(b.gbs) FROM ceiling b WHERE b.side = p.side AND b.problem IN ('copy', 'read')
          AND (p.side = 'GPU' OR b.threads = p.threads)) AS gbs
FROM (SELECT side, precision, threads, max(gflops) AS gflops FROM ceilings
      WHERE host = :host AND machine IN (SELECT machine FROM good) AND problem = 'fma' AND NOT tensor
        AND precision IN (SELECT precision FROM good)
        AND (side = 'GPU' OR threads = (SELECT max(coalesce(threads, 1)) FROM good WHERE side = 'CPU'))
      GROUP BY side) p
WHERE p.side IN (SELECT side FROM good);

-- The intensity of a variant is its operations over its compulsory traffic: each operand passes once, for a solver once
-- a sweep. A point is the fastest configuration of a variant at each n.
CREATE TEMP TABLE point AS
SELECT g.*, k.gflops AS peak, k.broken, g.gflops * 1e9 * g.median_s AS work,
       min(c.style) OVER (PARTITION BY g.variant) AS style, min(c.shift) OVER (PARTITION BY g.variant) AS shift,
       iif(g.side = 'GPU', 2, 1) AS device_number
FROM good g JOIN curves c USING (cell) LEFT JOIN peak k USING (cell)
WHERE g.bytes > 0 AND (g.unit = 'fma' OR g.solver) AND g.side IN (SELECT side FROM roof WHERE gbs > 0)
  AND g.gflops = (SELECT max(o.gflops) FROM good o
                  WHERE o.variant = g.variant AND o.precision = g.precision AND o.n = g.n);

-- The eight variants with names: those of a library, then those that are fastest at the largest n.
CREATE TEMP TABLE named_variant AS
SELECT variant FROM (SELECT variant, vendor, max(n) AS last, gflops FROM point GROUP BY variant)
ORDER BY NOT vendor, last DESC, gflops DESC LIMIT 8;

-- name: curves
SELECT iif((SELECT count(DISTINCT problem) FROM point) > 1, variant, idea) AS curve, style AS curve_style,
       shift AS curve_dash, variant NOT IN (SELECT variant FROM named_variant) AS curve_grey,
       device_number AS curve_device, work / bytes AS x, gflops AS y, flagged
FROM point ORDER BY ord, variant, n;

-- Where the counters tell the traffic of device memory: from the intensity above to the intensity that was counted.
-- name: counts
SELECT p.variant AS curve, p.style AS curve_style, p.device_number AS curve_device, p.work / p.bytes AS x,
       p.gflops AS y,
       p.work / (k.dram_read_bytes + k.dram_write_bytes) AS counted
FROM point p JOIN counted k USING (cell)
WHERE k.dram_read_bytes + k.dram_write_bytes > 0 ORDER BY p.ord, p.variant, p.n;

-- name: roofs
SELECT side AS curve, device_number AS curve_device, gflops AS curve_peak,
       si(gflops * 1e9, 'FLOP/s') AS curve_peak_text,
       gbs AS curve_bandwidth, si(1e9 * gbs, 'B/s') AS curve_bandwidth_text,
       (SELECT max(max(p.gflops), roof.gflops) FROM point p WHERE p.side = roof.side) AS curve_most, 0 AS unused
FROM roof WHERE gbs > 0 ORDER BY side;

-- The other ceilings that the study uses: fewer threads, another precision, tensor cores.
-- name: levels
SELECT trim(iif(c.tensor, 'tensor cores',
                iif(c.side = 'GPU', '', c.threads || iif(c.threads = 1, ' thread', ' threads')))
            || iif((SELECT count(DISTINCT precision) FROM good) > 1, ' ' || c.precision, '')) AS curve,
       r.device_number AS curve_device, max(c.gflops) AS curve_value, 0 AS unused
FROM ceiling c JOIN roof r USING (side)
WHERE c.problem = 'fma'
  AND EXISTS (SELECT 1 FROM good g WHERE g.side = c.side AND g.precision = c.precision
              AND (g.side = 'GPU' OR coalesce(g.threads, 1) = c.threads)
              AND (NOT c.tensor OR g.on_tensor))
  AND (c.precision, c.threads, c.tensor) <> (r.precision, r.threads, 0)
GROUP BY c.side, c.precision, c.threads, c.tensor ORDER BY c.side, c.threads, c.precision, c.tensor;

-- scalars
SELECT min(work / bytes) AS x_least, max(work / bytes) AS x_most,
       min(min(work / bytes), coalesce((SELECT min(p.work / (k.dram_read_bytes + k.dram_write_bytes)) FROM point p
                                    JOIN counted k USING (cell) WHERE k.dram_read_bytes + k.dram_write_bytes > 0), 1e9))
         AS x_counted
FROM point;

-- facts
-- What stands highest, against the roof of its own unit: the memory's slope, or the peak of the unit that it uses.
WITH bound AS (
    SELECT p.side, p.n, iif((SELECT count(DISTINCT problem) FROM point) > 1, p.variant, p.idea) AS idea, p.gflops,
           min(p.peak, r.gbs * p.work / p.bytes) AS top, r.gbs * p.work / p.bytes < p.peak AS of_memory, p.broken,
           p.flagged
    FROM point p JOIN roof r USING (side) WHERE r.gbs > 0),
ranked AS (SELECT *, row_number() OVER (PARTITION BY side ORDER BY n DESC, gflops DESC) AS turn FROM bound)
SELECT :host AS host, side, n, idea, iif(gflops <= top, marked(sig(100 * gflops / top), flagged), NULL) AS share,
       iif(of_memory, 'memory', 'arithmetic') AS bound,
       iif(broken IS NULL, 0, 1) AS broken,
       (SELECT min('yes') FROM point p JOIN counted k USING (cell)
        WHERE p.side = ranked.side AND k.dram_read_bytes + k.dram_write_bytes > 0) AS crossed
FROM ranked WHERE turn = 1 ORDER BY side;
