-- The characteristics of a few hosts: a column for each. The query needs report/testbed.sql.
-- SPDX-License-Identifier: MIT
-- pivot: host value
-- align: l
SELECT name AS "Characteristic", label AS host, value FROM characteristic ORDER BY ord, name, host_ord;
