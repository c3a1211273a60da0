-- What report/build.sh or site/build.sh has to make, one line each: kind, study, name, and hosts as
-- HOST=LABEL|HOST=LABEL. Figures and tables of a study have the order that it names them in. Parameter: :whole, yes or
-- no; no leaves out what a report of many studies does without.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
CREATE TEMP TABLE made AS
SELECT 'figure' AS kind, host, experiment, name, ord FROM figures
WHERE :whole = 'yes' OR (host, experiment, name) IN (SELECT host, experiment, name FROM drawn)
UNION
SELECT 'table', host, experiment, name, ord FROM tables
WHERE :whole = 'yes' OR (host, experiment, name) IN (SELECT host, experiment, name FROM printed)
UNION
-- A study without tables of its own gets the table of verification.
SELECT 'table', host, experiment, 'verification', 0 FROM chosen
WHERE experiment NOT IN (SELECT t.experiment FROM printed t);

SELECT kind, experiment, name, group_concat(host || '=' || replace(label, '|', ' '), '|') AS hosts
FROM (SELECT m.*, a.label FROM made m JOIN chosen c USING (host, experiment) JOIN about a USING (host)
      WHERE m.name NOT GLOB '*[^a-z0-9-]*' ORDER BY c.host_ord)
GROUP BY kind, experiment, name ORDER BY kind, experiment, min(ord), name;
