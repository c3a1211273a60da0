-- Is one column of padding enough? SPDX-License-Identifier: MIT
-- asks.ru: Достаточно ли одного столбца дополнения
-- says: At tile \fact{tile}, \fact{precision}, a store of the tile with one column of padding takes
--   \fact{one}~\plural{one}{wavefront}{wavefronts}, with two columns \fact{two}\iffact{wide}{; at tile
--   \fact{wide_tile} one column is enough (\fact{wide}~\plural{wide}{wavefront}{wavefronts})}. Two columns are
--   \ratio{} times as fast as one\judged{} at $n = \fact{n}$: one column separates the lanes of one row, and a warp
--   covers \fact{rows}~rows of this tile.
-- says.ru: При тайле \fact{tile}, \fact{precision}, запись тайла с одним столбцом дополнения занимает
--   \fact{one}~\forms{one}{волну}{волны}{волн}, с двумя — \fact{two}\iffact{wide}{; при тайле \fact{wide_tile} хватает
--   одного столбца (волн: \fact{wide})}. Два столбца дают ускорение \ratio{} относительно одного\judged{} при $n =
--   \fact{n}$: один столбец разводит потоки одной строки, а варп охватывает
--   \fact{rows}~\forms{rows}{строку}{строки}{строк} тайла.
-- rank: 20
-- chapter: aat
-- facts
WITH padded AS (
    SELECT *, (SELECT max((s.value ->> '$.wavefronts') / (s.value ->> '$.instructions'))
               FROM json_each(known_model(variant, settings), '$.sites') s
               WHERE s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store') AS wavefronts
    FROM compared WHERE variant = 'aat/cuda-b-pad'),
found AS (
    SELECT v.*, row_number() OVER (PARTITION BY v.host, v.experiment ORDER BY v.n DESC, v.precision) AS turn
    FROM versus v WHERE v.idea = 'cuda-b-pad' AND v.base = 'cuda-b-pad' AND v.padding = 2 AND v.base_padding = 1
      AND v.tile = v.base_tile AND v.tile < 32)
SELECT f.host, f.experiment, f.idea, f.idea || ', padding=2' AS variant, f.idea || ', padding=1' AS base, f.n,
       f.precision, f.tile, 32 / f.tile AS "rows", one.wavefronts AS one, two.wavefronts AS two,
       w.tile AS wide_tile, w.wavefronts AS wide, f.ratio, f.low, f.high, f.verdict, f.flagged
FROM found f JOIN padded one ON one.host = f.host AND one.experiment = f.experiment AND one.cell = f.base_cell
JOIN padded two ON two.host = f.host AND two.experiment = f.experiment AND two.cell = f.cell
LEFT JOIN padded w ON w.host = f.host AND w.experiment = f.experiment AND w.task = f.task AND w.padding = 1
  AND w.tile = 32
WHERE f.turn = 1 ORDER BY f.host_ord, f.study_ord;
