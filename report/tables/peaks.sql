-- Measured and theoretical rates of multiply-adds of each device, unit, precision and thread count.
-- SPDX-License-Identifier: MIT
-- caption: Multiply-adds: measured and theoretical rates of each unit. \emph{Instructions} are the set that the probe
--   was built for: the base of the architecture, or its levels v3 and v4\anyfact{brief}{; the site has all of them}
-- caption.ru: Умножения со сложением: измеренная и теоретическая скорость каждого устройства. \emph{Команды} — набор,
--   для которого собрана проба: базовый набор архитектуры или её уровни v3 и v4\anyfact{brief}{; остальные на сайте}
--
-- group
-- align: llllrrrr
WITH fact AS (SELECT key, value FROM machine WHERE host = :host AND experiment = :experiment),
-- Multiply-adds that a multiprocessor completes in a clock. Sources: the table of arithmetic instructions in the CUDA
-- C++ Programming Guide; for tensor cores the white papers of A100 and H100. A device that is not listed has no row.
lanes(capability, precision, tensor, count) AS (VALUES
    ('7.5', 'f32', 0, 64), ('7.5', 'f64', 0, 2), ('7.5', 'i32', 0, 64),
    ('8.0', 'f32', 0, 64), ('8.0', 'f64', 0, 32), ('8.0', 'i32', 0, 64), ('8.0', 'f64', 1, 64), ('8.0', 'f32', 1, 512),
    ('8.0', 'f16', 1, 1024),
    ('8.6', 'f32', 0, 128), ('8.6', 'f64', 0, 2), ('8.6', 'i32', 0, 64),
    ('8.9', 'f32', 0, 128), ('8.9', 'f64', 0, 2), ('8.9', 'i32', 0, 64),
    ('9.0', 'f32', 0, 128), ('9.0', 'f64', 0, 64), ('9.0', 'i32', 0, 64), ('9.0', 'f64', 1, 128),
    ('9.0', 'f32', 1, 1024), ('9.0', 'f16', 1, 2048)),
probe AS (
    SELECT c.*, coalesce(c.parts, c.precision) AS type FROM cell c
    WHERE c.problem = 'fma' AND c.status = 'ok'),
rate AS (
    SELECT c.*,
           (SELECT 2e-6 * l.count * sm.value * clock.value FROM lanes l, fact k, fact sm, fact clock
            WHERE c.side = 'GPU' AND k.key = 'gpu.compute_capability' AND k.value = l.capability
              AND sm.key = 'gpu.multiprocessors' AND clock.key = 'gpu.clock_khz' AND l.precision = c.type
              AND l.tensor = c.on_tensor) AS nominal
    FROM probe c),
unit AS (
    SELECT *, CASE WHEN on_tensor THEN 'tensor cores' WHEN side = 'GPU' THEN 'CUDA cores'
                   WHEN idea LIKE '%-scalar' THEN 'scalar' ELSE 'vectors' END AS what,
           marked(si(1e9 * gflops, iif(precision = 'i32', 'op/s', 'FLOP/s')), flagged) AS text,
           coalesce(threads, 0) = max(coalesce(threads, 0)) OVER () OR side = 'GPU' AS whole
    FROM rate)
SELECT side AS "Device", what AS "Unit", type AS "Type", isa AS "Instructions",
       max(iif(threads = 1, text, NULL)) AS "One thread",
       max(iif(whole, text || coalesce(' (' || threads || ')', ''), NULL)) AS "Whole device",
       si(1e9 * nominal, iif(precision = 'i32', 'op/s', 'FLOP/s')) AS "Theoretical",
       sig(100 * max(iif(whole, gflops, NULL)) / nominal) AS "%"
FROM unit u
WHERE NOT EXISTS (SELECT 1 FROM brief) OR isa IS (SELECT max(isa) FROM unit o WHERE o.side = u.side AND o.what = u.what)
GROUP BY side, ord, what, type, isa ORDER BY side, ord, on_tensor, type, isa;

-- facts
SELECT max(yes) AS brief FROM brief;
