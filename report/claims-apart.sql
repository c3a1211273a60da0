-- Where the table of claims has one host: the claims that this host cannot judge, as LaTeX macros.
-- SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
WITH unjudged AS (
    SELECT id, verdict FROM verdict WHERE id IN (SELECT id FROM shown_claim)
      AND host IN (SELECT host FROM judging_host) AND (SELECT count(*) FROM judging_host) = 1 ORDER BY row)
SELECT (SELECT group_concat(id, ', ') FROM unjudged WHERE verdict = 'not comparable here') AS claimsnothere,
       (SELECT group_concat(id, ', ') FROM unjudged WHERE verdict = 'other hardware') AS claimselsewhere;
