-- Banks of shared memory that a warp hits when it stores the transposed tile, from the bank model.
-- SPDX-License-Identifier: MIT
-- title: Banks that one store of a warp hits
-- caption: Words of shared memory that a warp's store of the transposed tile writes, from the bank model: a column is a
--   bank. Dark words are alone in their banks. Light words share a bank: such a store takes as many wavefronts (wf)
--   as its fullest bank has words. Padding and swizzling spread the words over the banks
--
-- Each row of the result is one lane of warp 0 and the word that the lane writes. The bank model computes these rows,
-- so the figure needs no GPU.
CREATE TEMP TABLE panel AS
SELECT b.cell, b.ord, b.idea, b.tile, b.padding, s.key AS site,
       CASE b.idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' WHEN 'cuda-b-pad' THEN 'B*'
            ELSE 'swizzle' END AS letter,
       s.value ->> '$.wavefronts' / (s.value ->> '$.instructions') AS wavefronts
FROM bank b, json_each(b.model, '$.sites') s
WHERE b.idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad', 'cuda-swizzle') AND b.tile IN (16, 32)
  AND (b.idea <> 'cuda-a' OR b.tile = 32)
  AND b.precision = 'f32' AND s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store'
  AND instr(s.value ->> '$.name', 'b_tile');

CREATE TEMP TABLE lane AS
SELECT p.*, o.key AS lane, o.value / 4 % 32 AS bank,
       o.value / 128 - min(o.value / 128) OVER (PARTITION BY p.cell) AS word_row
FROM panel p JOIN bank b USING (cell), json_each(b.model, '$.sites[' || p.site || '].offset') o
WHERE o.value IS NOT NULL;

-- name: curves
SELECT letter || ', tile ' || tile || coalesce(' + ' || padding, '') || ': ' || wavefronts || ' wf' AS curve,
       tile AS curve_tile, max(word_row) OVER (PARTITION BY tile) AS curve_rows, bank, word_row, lane,
       count(*) OVER (PARTITION BY cell, bank) > 1 AS shared
FROM lane ORDER BY tile DESC, ord, padding, lane;
