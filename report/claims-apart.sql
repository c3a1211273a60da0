-- The claims that no host of the table of claims can judge, as LaTeX macros. SPDX-License-Identifier: MIT
-- needs: judge-claims.sql claims-shown.sql
SELECT (SELECT group_concat(id, ', ') FROM unjudged WHERE NOT elsewhere) AS claimsnothere,
       (SELECT group_concat(id, ', ') FROM unjudged WHERE elsewhere) AS claimselsewhere;
