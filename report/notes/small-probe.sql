-- Memory probes of a CPU whose arrays its last-level cache may hold. SPDX-License-Identifier: MIT
-- says: The arrays of the CPU's memory probes, \fact{array} each, do not exceed its third-level cache, \fact{cache}:
--   their rates may be those of the cache in part.
-- says.ru: Массивы проб памяти процессора, по \fact{array}, не больше его кэша третьего уровня, \fact{cache}: их
--   скорости могут быть отчасти скоростями кэша.
-- facts
WITH arrays AS (
    SELECT r.host, r.experiment, max(r.n * iif(r.precision = 'f64', 8, 4)) AS bytes
    FROM results r JOIN chosen USING (host, experiment)
    WHERE r.status = 'ok' AND r.side = 'CPU' AND r.problem IN ('copy', 'read') AND r.probe
    GROUP BY r.host, r.experiment),
held AS (
    SELECT a.host, min(a.bytes) AS bytes, max(CAST(m.value AS INTEGER)) AS cache
    FROM arrays a JOIN machine m ON m.host = a.host AND m.experiment = a.experiment AND m.key = 'machine.l3_bytes'
    WHERE a.bytes <= CAST(m.value AS INTEGER) GROUP BY a.host)
SELECT h.host, si(h.bytes, 'B') AS array, si(h.cache, 'B') AS cache
FROM held h JOIN about USING (host) ORDER BY about.ord;
