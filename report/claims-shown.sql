-- The claims that the report shows: all of them, or those of the asked studies. Also the hosts that it shows beside
-- them: those with results that a claim is about, or all where no host has any; the claims that none of these hosts can
-- judge; those that all of them leave undecided; and the verdicts in their order. Parameter: :studies.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql judge-claims.sql
CREATE TEMP TABLE known_verdict(ord INTEGER PRIMARY KEY, verdict TEXT);
INSERT INTO known_verdict(verdict)
VALUES ('reproduced'), ('by model'), ('not reproduced'), ('explained'), ('undecided'), ('other hardware'),
       ('not comparable here');

CREATE TEMP TABLE shown_claim AS
SELECT DISTINCT c.id FROM claims c
WHERE trim(coalesce(:studies, '')) = ''
   OR EXISTS (SELECT 1 FROM study s WHERE instr(' ' || c.studies || ' ', ' ' || s.experiment || ' '));

CREATE TEMP TABLE judging_host AS
WITH compared AS (SELECT DISTINCT host FROM verdict WHERE compared > 0 AND id IN (SELECT id FROM shown_claim)
                  AND host IN (SELECT host FROM about))
SELECT host FROM about WHERE host IN (SELECT host FROM compared) OR NOT EXISTS (SELECT 1 FROM compared);

-- Each verdict of a host that can judge the claim.
CREATE TEMP VIEW comparable AS
SELECT * FROM verdict
WHERE id IN (SELECT id FROM shown_claim) AND host IN (SELECT host FROM judging_host)
  AND verdict NOT IN ('not comparable here', 'other hardware');

-- The claims that no host decides. A report of several studies names them and the first host's reason before its table.
CREATE TEMP TABLE open_claim AS
SELECT id, row, (SELECT o.reason FROM comparable o JOIN about a USING (host) WHERE o.id = c.id ORDER BY a.ord LIMIT 1)
           AS reason
FROM comparable c WHERE (SELECT count(*) FROM study) > 1
GROUP BY id HAVING min(verdict = 'undecided');

-- `elsewhere`: some host would judge the claim if it were other hardware.
CREATE TEMP TABLE unjudged AS
SELECT id, max(verdict = 'other hardware') AS elsewhere FROM verdict
WHERE id IN (SELECT id FROM shown_claim) AND host IN (SELECT host FROM judging_host)
  AND id NOT IN (SELECT id FROM comparable)
GROUP BY id ORDER BY min(row);
