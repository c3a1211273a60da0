-- Times whose library was measured, but on another physical machine, so that they make no ratio.
-- SPDX-License-Identifier: MIT
-- says: \fact{times} of \fact{own}~times of own variants \plural{times}{has}{have} no ratio to a library, because the
--   library was measured on another machine.
-- says.ru: Отношение к библиотеке не вычислено, так как она измерена на другой машине; таких ячеек:
--   \fact{times} из \fact{own}.
-- facts
WITH timed AS (
    SELECT r.host, r.experiment, r.side, r.vendor, r.machine, r.task, c.host_ord,
           substr(r.task, length(r.machine) + 2) AS shape
    FROM results r JOIN chosen c USING (host, experiment) WHERE r.status = 'ok' AND NOT r.probe)
SELECT o.host, o.experiment, count(*) AS times,
       (SELECT count(*) FROM timed a WHERE a.host = o.host AND a.experiment = o.experiment AND NOT a.vendor) AS own
FROM timed o
WHERE NOT o.vendor
  AND EXISTS (SELECT 1 FROM timed v WHERE v.host = o.host AND v.experiment = o.experiment AND v.side = o.side
                AND v.shape = o.shape AND v.vendor)
  AND NOT EXISTS (SELECT 1 FROM timed v WHERE v.host = o.host AND v.experiment = o.experiment AND v.side = o.side
                    AND v.task = o.task AND v.vendor)
GROUP BY o.host, o.experiment ORDER BY min(o.host_ord);
