-- Kernel time of the variants A, B and B*. SPDX-License-Identifier: MIT
-- caption: Kernel time of the variants A, B and B*
--
-- Kernel time of the source's three variants, at its tile.
-- pivot: size time
SELECT CASE idea WHEN 'cuda-a' THEN 'A' WHEN 'cuda-b' THEN 'B' ELSE 'B*' END AS "Variant", idea AS "Kernel",
       tile AS "Tile",
       'N = ' || n AS size, si(median_s, 's') AS time
FROM good WHERE idea IN ('cuda-a', 'cuda-b', 'cuda-b-pad') AND tile = 32 AND coalesce(padding, 1) = 1
ORDER BY precision, ord, n;
