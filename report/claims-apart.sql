-- The claims that no host of the table of claims can judge, or decides, as LaTeX macros. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
SELECT (SELECT group_concat(id, ', ') FROM unjudged WHERE NOT elsewhere) AS claimsnothere,
       (SELECT group_concat(id, ', ') FROM unjudged WHERE elsewhere) AS claimselsewhere,
       (SELECT group_concat(ids || iif(reason = '', '', ' (' || translated(reason) || ')'), '; ')
        FROM (SELECT reason, group_concat(id, ', ') AS ids
              FROM (SELECT * FROM open_claim ORDER BY row) GROUP BY reason ORDER BY min(row))) AS claimsopen;
