-- What was not measured on this machine, and why. SPDX-License-Identifier: MIT
-- group
-- align: lLlrL
WITH missing AS (
    SELECT r.experiment, s.study_ord, r.idea, r.status,
           CASE WHEN r.reason LIKE '%: predicted %' THEN substr(r.reason, 1, instr(r.reason, ': predicted ') - 1)
                WHEN r.reason LIKE '%predicted to take % s, more than %'
                  THEN 'one run is predicted to take ' || substr(r.reason, instr(r.reason, 'more than '))
                ELSE replace(coalesce(r.reason, ''), ' on this machine', '') END AS reason
    FROM results r JOIN chosen c USING (host, experiment) JOIN study s USING (experiment)
    WHERE c.local AND r.status <> 'ok' AND NOT r.probe)
SELECT experiment AS "Study", replace(group_concat(DISTINCT idea), ',', ', ') AS "Variants", status AS "Outcome",
       count(*) AS "Cells", reason AS "Reason"
FROM missing
GROUP BY experiment, status, reason ORDER BY study_ord, status, count(*) DESC;
