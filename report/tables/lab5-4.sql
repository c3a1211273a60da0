-- Kernel time of the kernels A, B and B* at the source's tile. SPDX-License-Identifier: MIT
-- problems: aat
-- caption: Kernel time of the kernels A, B and B* at tile 32. They differ in where they transpose the second tile
-- caption.ru: Время ядер A, B и B* при тайле 32. Они различаются тем, где транспонируется второй тайл
--
-- pivot: size time
SELECT CASE idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' ELSE 'B*' END AS "Variant", idea AS "Kernel",
       tile AS "Tile",
       'N = ' || n AS size, marked(si(median_s, 's'), flagged) AS time
FROM good WHERE idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad') AND tile = 32 AND coalesce(padding, 1) = 1
ORDER BY precision, ord, n;
