-- Each own factorisation beside the library of its contract: ratios with their intervals. SPDX-License-Identifier: MIT
-- caption: Each own factorisation at its fastest tile, beside a library that chooses its pivots in the same way. The
--   last column is the speed of the own variant over the speed of the library, with the interval of the ratio
-- group
-- align: lrlrrrlrr
WITH own AS (
    SELECT *, row_number() OVER (PARTITION BY variant, task, threads ORDER BY median_s) AS place FROM good
    WHERE NOT vendor)
SELECT o.idea || ' ' || o.precision AS "Variant", o.n AS "n", coalesce('tile ' || o.tile, '')
       || coalesce(o.threads || ' thr.', '') AS "Fastest at",
       si(o.median_s, 's') AS "Time",
       sig(o.gflops, 3) AS "GFLOP/s", sig(100 * o.rate / p.gflops, 2) AS "% of peak", v.idea AS "Library",
       si(v.median_s, 's') AS "Its time",
       sig(v.median_s / o.median_s, 3) || ' ['
       || sig(coalesce(v.ci_lo_s, v.median_s) / coalesce(o.ci_hi_s, o.median_s), 3) || ', '
       || sig(coalesce(v.ci_hi_s, v.median_s) / coalesce(o.ci_lo_s, o.median_s), 3) || ']' AS "Speed/library's"
FROM own o LEFT JOIN vendor v ON v.task = o.task AND v.side = o.side AND v.contract = o.contract
  AND v.own_contract = o.contract
LEFT JOIN peak p ON p.cell = o.cell
WHERE o.place = 1
ORDER BY o.precision DESC, o.ord, o.threads, o.n;
