-- Which variants headlines use beside those that findings name: what the claims of the sources compare.
-- `points`: `largest`, or `all` points of the variant. `tilelab record` measures these cells first.
-- SPDX-License-Identifier: MIT
-- facts
SELECT DISTINCT study.value AS experiment, k.name AS variant, iif(c.points = 'largest', 'largest', 'all') AS points
FROM claims c JOIN json_each('["' || replace(c.studies, ' ', '","') || '"]') study
JOIN known k ON matches(k.name, c.subject) OR matches(k.name, c.reference);
