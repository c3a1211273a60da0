-- The characteristics of many hosts, as those of a class: a row for each.
-- SPDX-License-Identifier: MIT
-- needs: testbed.sql
-- pivot: name value
-- align: lLrLLLL
SELECT iif(a.ord = 0, a.title, a.host) AS "Host", s.name, c.value
FROM about a
CROSS JOIN (SELECT DISTINCT ord, name FROM characteristic
            WHERE name IN ('CPU', 'Cores used', 'Memory', 'GPU') OR name GLOB 'CPU peak f32,*'
               OR name GLOB 'CPU read,*') s
LEFT JOIN characteristic c ON c.host = a.host AND c.name = s.name
ORDER BY a.ord, s.ord;
