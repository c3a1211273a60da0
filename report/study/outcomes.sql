-- Cells without a number, grouped by their reason. SPDX-License-Identifier: MIT
-- caption: Cells without a number, and why
SELECT status AS "Outcome", count(*) AS "Cells", replace(group_concat(DISTINCT iif(probe, variant, idea)), ',', ', ')
         AS "Variants",
       iif(probe, NULL, iif(count(DISTINCT n) = 1, min(n), min(n) || '..' || max(n))) AS "n", grouped AS "Reason"
FROM (SELECT *, iif(status = 'skipped', coalesce(reason_class, reason), reason) AS grouped FROM cell
      WHERE status <> 'ok' ORDER BY ord, n)
GROUP BY probe, status, grouped, iif(status = 'skipped', '', cell)
ORDER BY status = 'skipped', probe, count(*) DESC, min(ord), min(n);
