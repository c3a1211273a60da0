-- What report/build.sh has to make: kind, host, study, name. SPDX-License-Identifier: MIT
SELECT 'figure', f.host, f.experiment, f.name FROM figures f JOIN chosen USING (host, experiment)
WHERE f.name NOT GLOB '*[^a-z0-9-]*'
UNION ALL
SELECT 'table', t.host, t.experiment, t.name FROM tables t JOIN chosen USING (host, experiment)
WHERE t.name NOT GLOB '*[^a-z0-9-]*'
UNION ALL
SELECT k.kind, c.host, c.experiment, k.name
FROM chosen c JOIN (SELECT 'table' AS kind, 'outcomes' AS name UNION ALL SELECT 'lines', 'facts'
                    UNION ALL SELECT 'lines', 'why') k
UNION ALL
SELECT 'table', host, experiment, 'verification' FROM chosen
WHERE experiment NOT IN (SELECT t.experiment FROM tables t);
