-- Banks of shared memory that a warp hits when it stores the transposed tile, from the bank model.
-- problems: matmul aat
-- SPDX-License-Identifier: MIT
-- title: Banks that one store of a warp hits
-- title.ru: Банки, в которые попадает запись варпа
-- caption: \each{Wavefronts (wf) of a warp's store of the transposed tile: \fact{a} in A, \fact{b} in B, \fact{pad} in
--   B*\iffact{narrow}{; at tile 16 \fact{narrow} with one column of padding\iffact{narrow_two}{, \fact{narrow_two} with
--   two}}. }Words by the bank model; a column is a bank, light words share one
-- caption.ru: \each{Волн на запись варпа: A — \fact{a}, B — \fact{b}, B* — \fact{pad}\iffact{narrow}{; при тайле
--   16 с одним дополнительным столбцом \fact{narrow}\iffact{narrow_two}{, с двумя \fact{narrow_two}}}. }По модели;
--   столбец — банк, светлое — конфликт
--
-- Each row of the result is one lane of warp 0 and the word that the lane writes. The bank model computes these rows,
-- so the figure needs no GPU. All hosts have the same model: the first host of the study that has measured on a GPU
-- shows it, else the first one.
CREATE TEMP TABLE panel AS
SELECT b.cell, b.ord, b.idea, b.tile, b.padding, s.key AS site,
       CASE b.idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' WHEN 'cuda-b-pad' THEN 'B*'
            ELSE 'swizzle' END AS letter,
       s.value ->> '$.wavefronts' / (s.value ->> '$.instructions') AS wavefronts
FROM bank b, json_each(b.model, '$.sites') s
WHERE b.idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad', 'cuda-swizzle') AND b.tile IN (16, 32)
  AND (b.idea <> 'cuda-a' OR b.tile = 32)
  AND :host = (SELECT r.host FROM described r JOIN hosts h USING (host) WHERE r.experiment = :experiment
               GROUP BY r.host ORDER BY max(r.side = 'GPU' AND r.status = 'ok') DESC, h.ord)
  AND b.precision = 'f32' AND s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store'
  AND instr(s.value ->> '$.name', 'b_tile');

CREATE TEMP TABLE lane AS
SELECT p.*, o.key AS lane, o.value / 4 % 32 AS bank,
       o.value / 128 - min(o.value / 128) OVER (PARTITION BY p.cell) AS word_row
FROM panel p JOIN bank b USING (cell), json_each(b.model, '$.sites[' || p.site || '].offset') o
WHERE o.value IS NOT NULL;

-- name: curves
SELECT letter || ', tile ' || tile || coalesce(' + ' || padding, '') || ': ' || wavefronts || ' wf' AS curve,
       tile AS curve_tile, max(word_row) OVER (PARTITION BY tile) AS curve_rows, bank, word_row AS row, lane,
       count(*) OVER (PARTITION BY cell, bank) > 1 AS conflict
FROM lane ORDER BY tile DESC, ord, padding, lane;

-- facts
SELECT :host AS host, max(iif(idea = 'cuda-a' AND tile = 32, wavefronts, NULL)) AS a,
       max(iif(idea = 'cuda-b' AND tile = 32, wavefronts, NULL)) AS b,
       max(iif(idea = 'cuda-b-pad' AND tile = 32 AND padding = 1, wavefronts, NULL)) AS pad,
       max(iif(idea = 'cuda-b-pad' AND tile = 16 AND padding = 1, wavefronts, NULL)) AS narrow,
       max(iif(idea = 'cuda-b-pad' AND tile = 16 AND padding = 2, wavefronts, NULL)) AS narrow_two
FROM panel HAVING count(*) > 0;
