-- BLAS libraries and the kernel that each chose, in its own words. SPDX-License-Identifier: MIT
SELECT a.label AS "Host", l.name AS "Library", l.hash AS "File hash", l.config AS "What it says of itself"
FROM libraries l JOIN chosen c USING (host, experiment) JOIN about a USING (host)
WHERE l.name IS NOT NULL
GROUP BY a.ord, l.name, l.hash, l.config ORDER BY a.ord, l.name;
