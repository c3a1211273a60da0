-- What was not measured on this machine, and why: one row a reason. Variants that failed or were wrong are named. In a
-- report of other hosts alone it tells of all of these.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- group
-- align: lLrrL
WITH missing AS (
    SELECT r.host, r.experiment, s.study_ord, r.status, r.idea,
           CASE WHEN r.reason LIKE '%: predicted %' THEN substr(r.reason, 1, instr(r.reason, ': predicted ') - 1)
                WHEN r.reason LIKE '%predicted to take % s, more than %'
                  THEN 'one run is predicted to take ' || substr(r.reason, instr(r.reason, 'more than '))
                WHEN r.reason LIKE r.variant || ' has no ___ version' THEN 'the variant has no version of this type'
                ELSE replace(coalesce(r.reason, ''), ' on this machine', '') END AS reason
    FROM results r JOIN chosen c USING (host, experiment) JOIN study s USING (experiment)
    WHERE (c.local OR NOT EXISTS (SELECT 1 FROM chosen WHERE local)) AND r.status <> 'ok' AND NOT r.probe),
counted AS (
    SELECT status, reason, study_ord, count(*) AS cells,
           experiment || iif(status = 'skipped', '', ': ' || replace(group_concat(DISTINCT idea), ',', ', ')) AS study
    FROM missing GROUP BY status, reason, experiment ORDER BY study_ord)
SELECT status AS "Outcome", group_concat(study, ', ') AS "Study", sum(cells) AS "Cells",
       (SELECT count(DISTINCT m.host) FROM missing m
        WHERE m.status = counted.status AND m.reason = counted.reason
          HAVING NOT EXISTS (SELECT 1 FROM chosen WHERE local)) AS "Hosts",
       reason AS "Reason"
FROM counted
GROUP BY status, reason ORDER BY status, sum(cells) DESC, reason;
