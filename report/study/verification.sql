-- Every variant of the study against the bound of its problem. SPDX-License-Identifier: MIT
-- caption: Verification: every variant against the bound of its problem
--
-- The worst error of a variant's cells is told in per cent of what the bound allows.
-- group
SELECT idea AS "Variant", precision AS "Type", count(*) AS "Cells", sum(status = 'ok') AS "Verified",
       sum(status = 'skipped') AS "Skipped", sum(status NOT IN ('ok', 'skipped')) AS "Failed",
       group_concat(DISTINCT iif(status = 'ok', n, NULL)) AS "n",
       CASE WHEN max(bound) > 0 THEN sig(100 * max(error / bound), 2) WHEN max(bound) = 0 THEN 'exact' END
         AS "Worst error, % of bound",
       iif(sum(bitwise = 0), sum(bitwise = 0) || ' cells vary',
           iif(max(bitwise) = 1, 'same bits', NULL)) AS "Repeated runs"
FROM cell WHERE NOT probe
GROUP BY variant, precision ORDER BY ord, variant, precision;
