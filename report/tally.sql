-- How many claims of each source have which verdict on each host. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
-- pivot: verdict claims
WITH word(ord, verdict) AS (
    VALUES (1, 'reproduced'), (2, 'by model'), (3, 'not reproduced'), (4, 'undecided'), (5, 'explained'),
           (6, 'other hardware'), (7, 'not comparable here'))
SELECT a.label AS "Claims of the sources on", w.verdict,
       (SELECT count(*) FROM verdict v WHERE v.host = a.host AND v.verdict = w.verdict
          AND v.id IN (SELECT id FROM shown_claim)) AS claims
FROM about a JOIN judging_host USING (host), word w WHERE EXISTS (SELECT 1 FROM shown_claim)
ORDER BY a.ord, w.ord;
