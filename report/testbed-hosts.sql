-- The characteristics of a few hosts: a column for each. A host without a GPU has a dash as its GPU alone: what no such
-- host has is blank there.
-- SPDX-License-Identifier: MIT
-- needs: testbed.sql
-- pivot: host value
-- align: l
WITH bare AS (SELECT * FROM about WHERE host NOT IN (SELECT host FROM characteristic WHERE name = 'GPU'))
SELECT name AS "Characteristic", label AS host, value
FROM (SELECT ord, name, host_ord, label, value FROM characteristic
      UNION ALL
      SELECT DISTINCT c.ord, c.name, b.ord, b.label, '' FROM characteristic c JOIN bare b
      WHERE c.name <> 'GPU' AND c.name NOT IN (SELECT h.name FROM characteristic h JOIN bare USING (host)))
ORDER BY ord, name, host_ord;
