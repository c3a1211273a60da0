-- Times and rates of the kernels A, B and B* at the source's tile. SPDX-License-Identifier: MIT
-- problems: aat
-- caption: The kernels A, B and B* at tile 32, which differ in where they transpose the second tile: kernel time, rate
--   of $2n^3$ operations, and its share of the measured and of the theoretical peak
-- caption.ru: Ядра A, B и B* при тайле 32, которые различаются тем, где транспонируется второй тайл: время, скорость из
--   расчёта $2n^3$ операций, её доля от измеренного и теоретического пика
CREATE TEMP TABLE three AS
SELECT g.*, CASE g.idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' ELSE 'B*' END AS letter, p.gflops AS peak,
       2e-9 * g.n * g.n * g.n / g.median_s AS rate
FROM good g LEFT JOIN peak p USING (cell)
WHERE g.idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad') AND g.tile = 32 AND coalesce(g.padding, 1) = 1;

-- `fma`: multiply-adds in single precision that a multiprocessor completes in a clock. Source: the table of arithmetic
-- throughput in NVIDIA's CUDA C++ Programming Guide. The clock is the nominal one of the run record.
CREATE TEMP TABLE theory AS
WITH lanes(capability, fma) AS (VALUES
    ('5.0', 128), ('5.2', 128), ('5.3', 128), ('6.0', 64), ('6.1', 128), ('6.2', 128), ('7.0', 64), ('7.2', 64),
    ('7.5', 64),
    ('8.0', 64), ('8.6', 128), ('8.7', 128), ('8.9', 128), ('9.0', 128), ('10.0', 128), ('12.0', 128)),
gpu AS (SELECT max(iif(key = 'gpu.multiprocessors', value + 0.0, NULL)) AS multiprocessors,
               max(iif(key = 'gpu.clock_khz', value + 0.0, NULL)) AS clock_khz,
               max(iif(key = 'gpu.compute_capability', value, NULL)) AS capability
        FROM machine WHERE host = :host AND experiment = :experiment)
SELECT 2 * lanes.fma * gpu.multiprocessors * gpu.clock_khz / 1e6 AS gflops FROM gpu JOIN lanes USING (capability);

-- group
-- pivot: size value
SELECT name AS "Variant", quantity AS "Quantity", 'N = ' || n AS size, value FROM (
    SELECT ord, 0 AS part, letter || ' (' || idea || ')' AS name, n, 'time' AS quantity,
           marked(si(median_s, 's'), flagged) AS value
    FROM three
    UNION ALL
    SELECT ord, 1, letter || ' (' || idea || ')', n, 'GFLOP/s', marked(sig(rate), flagged) FROM three
    UNION ALL
    SELECT ord, 2, letter || ' (' || idea || ')', n, '% of the measured peak',
           marked(sig(100 * rate / peak), flagged) FROM three
    WHERE peak IS NOT NULL
    UNION ALL
    SELECT ord, 3, letter || ' (' || idea || ')', n, '% of the theoretical peak',
           marked(sig(100 * t.rate / theory.gflops), t.flagged)
    FROM three t JOIN theory WHERE precision = 'f32'
    UNION ALL
    SELECT 10000, 1, 'peak', n, 'GFLOP/s, measured', sig(max(peak), 3) FROM three WHERE peak IS NOT NULL GROUP BY n
    UNION ALL
    SELECT 10000, 2, 'peak', n, 'GFLOP/s, theoretical', sig(theory.gflops, 3) FROM three t JOIN theory
    WHERE precision = 'f32'
    GROUP BY n)
ORDER BY ord, part, n;
