-- Largest error of products on tensor cores and of the library, beside their speed. SPDX-License-Identifier: MIT
-- caption: Largest error of a product, in units of $u\,|A||B|$
--
-- Verification keeps the error in units of sqrt(k) u |A||B|. Each precision shows the libraries, the variants on tensor
-- cores, and the fastest variant on CUDA cores.
-- pivot: size value
WITH plain AS (
    SELECT problem, precision, n, median_s, ci_lo_s, ci_hi_s, error FROM good
    WHERE vendor AND tensor NOT LIKE '%' || precision || '%' AND precision <> 'i32'
    UNION
    SELECT problem, precision, n, median_s, ci_lo_s, ci_hi_s, error FROM good
    WHERE vendor AND precision = 'f64'),
library AS (SELECT *, min(median_s) FROM plain GROUP BY problem, precision, n),
own AS (
    SELECT g.*, row_number() OVER (PARTITION BY task ORDER BY median_s) AS place FROM good g
    WHERE library IS NULL AND NOT instr(tensor, precision) AND problem = 'matmul'),
shown AS (
    SELECT g.* FROM good g
    WHERE problem = 'matmul' AND precision <> 'i32' AND g.error IS NOT NULL
      AND (library IS NOT NULL OR instr(tensor, precision)
           OR variant IN (SELECT variant FROM own WHERE place = 1 AND own.precision = g.precision)))
SELECT s.precision AS "Type", s.idea AS "Variant", q.name AS "Quantity", 'N = ' || s.n AS size,
       CASE q.ord WHEN 1 THEN sig(s.error * sqrt(coalesce(s.k, s.n)), 3) WHEN 2 THEN sig(s.error / l.error, 3)
                  ELSE sig(l.median_s / s.median_s, 3) END AS value
FROM shown s JOIN library l USING (problem, precision, n)
JOIN (SELECT 1 AS ord, 'largest error' AS name UNION ALL SELECT 2, 'error / library''s' UNION ALL
      SELECT 3, 'speed / library''s') q
WHERE q.ord = 1 OR s.median_s <> l.median_s
ORDER BY s.precision, s.ord, q.ord, s.n;
