-- What the run records say of each machine. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
-- pivot: host value
SELECT m.key AS "Property", a.label AS host, group_concat(m.value, ', ') AS value
FROM (SELECT DISTINCT host, key, value FROM machine) m JOIN about a USING (host)
WHERE m.key GLOB 'machine.*' OR m.key GLOB 'gpu.*' OR m.key GLOB 'compiler.*'
GROUP BY m.key, m.host ORDER BY m.key, a.ord;
