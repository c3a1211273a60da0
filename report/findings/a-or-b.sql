-- Why are the kernels A and B slow? SPDX-License-Identifier: MIT
-- asks.ru: Почему медленны ядра A и B
-- says: At $n = \fact{n}$, \fact{precision}, tile \fact{tile}, A takes \ratio[a_]{times the time} of B\judged[a_]. A
--   touches \fact{a_sectors}~sectors in a load, B \fact{b_sectors}. A store of A's tile takes
--   \fact{a_wavefronts}~\plural{a_wavefronts}{wavefront}{wavefronts}, a store of B's \fact{b_wavefronts}: B has
--   \fact{b_conflicts}~bank conflicts. B*, which has neither fault, is \ratio[pb_]{times as fast} as B\judged[pb_],
--   and \ratio[pa_]{times as fast} as A\judged[pa_].
-- says.ru: При $n = \fact{n}$ (\fact{precision}) и тайле \fact{tile} время A относительно B — \ratio[a_]\judged[a_].
--   Загрузка A затрагивает \fact{a_sectors}~\forms{a_sectors}{сектор}{сектора}{секторов}, загрузка B —
--   \fact{b_sectors}. Запись тайла A занимает \fact{a_wavefronts}~\forms{a_wavefronts}{волну}{волны}{волн}, тайла B —
--   \fact{b_wavefronts}: у B \fact{b_conflicts}~\forms{b_conflicts}{конфликт}{конфликта}{конфликтов} банков. B*, где
--   нет ни того, ни другого, быстрее B в \ratio[pb_]{\forms{pb_ratio}{раз}{раза}{раз}}\judged[pb_], а быстрее A — в
--   \ratio[pa_]{\forms{pa_ratio}{раз}{раза}{раз}}\judged[pa_].
-- rank: 7
-- chapter: aat
--
-- The source asks for the conflicts at n = 1024. The bank model gives sectors, wavefronts and conflicts; the table
-- of conflicts holds it against the counters.
-- facts
WITH point AS (
    SELECT a.*, row_number() OVER (PARTITION BY host, experiment ORDER BY abs(n - 1024), tile DESC, precision) AS turn
    FROM versus a WHERE problem = 'aat' AND idea = 'cuda-a' AND base = 'cuda-b' AND tile = base_tile),
modelled AS MATERIALIZED (
    SELECT c.host, c.experiment, c.cell, known_model(c.variant, c.settings) AS model
    FROM compared c JOIN point p ON p.turn = 1 AND p.host = c.host AND p.experiment = c.experiment
      AND c.cell IN (p.cell, p.base_cell)),
costs AS (
    SELECT m.host, m.experiment, m.cell,
           max(iif(s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store',
                   1.0 * (s.value ->> '$.wavefronts') / (s.value ->> '$.instructions'), NULL)) AS wavefronts,
           max(iif(s.value ->> '$.space' = 'global' AND s.value ->> '$.direction' = 'load',
                   1.0 * (s.value ->> '$.sectors') / (s.value ->> '$.instructions'), NULL)) AS sectors,
           (m.model ->> '$.shared_store.conflicts') + (m.model ->> '$.shared_load.conflicts') AS conflicts
    FROM modelled m, json_each(m.model, '$.sites') s GROUP BY m.host, m.experiment, m.cell)
SELECT p.host, p.experiment, p.idea, p.base, pa.idea AS padded, p.n, p.precision, p.tile, p.cost_ratio AS a_ratio,
       p.cost_low AS a_low, p.cost_high AS a_high, p.flagged AS a_flagged, p.verdict AS a_verdict,
       printf('%.3g', a.sectors) AS a_sectors,
       printf('%.3g', b.sectors) AS b_sectors, printf('%.3g', a.wavefronts) AS a_wavefronts, printf('%.3g',
       b.wavefronts) AS b_wavefronts,
       printf('%,d', b.conflicts) AS b_conflicts, pa.ratio AS pa_ratio, pa.low AS pa_low, pa.high AS pa_high,
       pa.flagged AS pa_flagged, pa.verdict AS pa_verdict,
       pb.ratio AS pb_ratio, pb.low AS pb_low, pb.high AS pb_high, pb.flagged AS pb_flagged, pb.verdict AS pb_verdict
FROM point p JOIN costs a ON a.host = p.host AND a.experiment = p.experiment AND a.cell = p.cell
JOIN costs b ON b.host = p.host AND b.experiment = p.experiment AND b.cell = p.base_cell
JOIN versus pa ON pa.host = p.host AND pa.experiment = p.experiment AND pa.task = p.task AND pa.idea = 'cuda-b-pad'
  AND pa.padding = 1 AND pa.tile = p.tile AND pa.base = 'cuda-a' AND pa.base_tile = p.tile
JOIN versus pb ON pb.host = p.host AND pb.experiment = p.experiment AND pb.task = p.task AND pb.idea = 'cuda-b-pad'
  AND pb.padding = 1 AND pb.tile = p.tile AND pb.base = 'cuda-b' AND pb.base_tile = p.tile
WHERE p.turn = 1 ORDER BY p.host_ord, p.study_ord;
