-- Why nothing of a study was measured; no rows if something was. Parameter: :experiment. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT a.label AS "Host", r.status AS "Outcome", r.reason AS "Reason", count(*) AS "Cells"
FROM results r JOIN chosen c USING (host, experiment) JOIN about a USING (host)
WHERE r.experiment = :experiment AND NOT r.probe
  AND NOT EXISTS (SELECT 1 FROM results o JOIN chosen USING (host, experiment)
                  WHERE o.experiment = :experiment AND o.status = 'ok' AND NOT o.probe)
GROUP BY r.host, r.status, r.reason ORDER BY a.ord, count(*) DESC, r.reason;
