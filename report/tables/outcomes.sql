-- Cells without a number, grouped by their reason. SPDX-License-Identifier: MIT
SELECT status AS "Outcome", count(*) AS "Cells", replace(group_concat(DISTINCT iif(probe, variant, idea)), ',', ', ')
         AS "Variants",
       iif(probe, NULL, iif(count(DISTINCT n) = 1, min(n), min(n) || '..' || max(n))) AS "n", reason AS "Reason"
FROM (SELECT *, iif(status = 'skipped' AND reason LIKE 'predicted %', 'predicted to take too long', reason) AS grouped
      FROM cell WHERE status <> 'ok' ORDER BY ord, n)
GROUP BY probe, status, grouped, iif(status = 'skipped', '', cell)
ORDER BY status = 'skipped', probe, count(*) DESC, min(ord), min(n);
