-- How many claims of each source have which verdict on each host. A verdict that none has is no column.
-- SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
-- pivot: verdict claims
SELECT a.label AS "Claims of the sources on", w.verdict,
       (SELECT count(*) FROM verdict v WHERE v.host = a.host AND v.verdict = w.verdict
          AND v.id IN (SELECT id FROM shown_claim)) AS claims
FROM about a JOIN judging_host USING (host), known_verdict w
WHERE EXISTS (SELECT 1 FROM verdict v JOIN about o USING (host) JOIN judging_host USING (host)
              WHERE v.verdict = w.verdict AND v.id IN (SELECT id FROM shown_claim))
ORDER BY a.ord, w.ord;
