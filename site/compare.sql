-- Every cell that two machines have, but for the times that are withdrawn. SPDX-License-Identifier: MIT
-- needs: ../report/compare-folders.sql
SELECT experiment AS "Study", 'study-' || experiment || '.html' AS "href Study", variant AS "Variant",
       settings AS "Settings", other AS "Machine", si(base_s, 's') AS "Time on the first", si(s, 's') AS "Time",
       sig(speedup, 3) AS "Speed-up", sig(low, 3) || ' .. ' || sig(high, 3) AS "Interval", verdict AS "Verdict",
       remark AS "Remark"
FROM pair
WHERE NOT EXISTS (SELECT 1 FROM results r WHERE r.host IN (pair.base, pair.other) AND r.experiment = pair.experiment
                    AND r.cell = pair.cell AND r.status = 'withdrawn')
ORDER BY experiment, variant, n, settings, cell, side;
