-- The claims that no host of the table of claims can judge, or decides, as LaTeX macros, and which verdicts there are.
-- SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
WITH given AS (
    SELECT verdict FROM verdict
    WHERE id IN (SELECT id FROM shown_claim) AND host IN (SELECT host FROM about) GROUP BY verdict)
SELECT (SELECT group_concat(id, ', ') FROM unjudged WHERE NOT elsewhere) AS claimsnothere,
       (SELECT group_concat(id, ', ') FROM unjudged WHERE elsewhere) AS claimselsewhere,
       (SELECT group_concat(ids || iif(reason = '', '', ' (' || translated(reason) || ')'), '; ')
        FROM (SELECT reason, group_concat(id, ', ') AS ids
              FROM (SELECT * FROM open_claim ORDER BY row) GROUP BY reason ORDER BY min(row))) AS claimsopen,
       (SELECT 1 FROM given WHERE verdict = 'undecided') AS someundecided,
       (SELECT 1 FROM given WHERE verdict = 'not comparable here') AS somenothere,
       (SELECT 1 FROM given WHERE verdict = 'other hardware') AS someelsewhere,
       (SELECT 1 FROM given WHERE verdict = 'by model') AS somemodelled,
       (SELECT 1 FROM given WHERE verdict = 'explained') AS someexplained;
