-- The characteristics of a few hosts: a column for each.
-- SPDX-License-Identifier: MIT
-- needs: testbed.sql
-- pivot: host value
-- align: l
SELECT name AS "Characteristic", label AS host, value FROM characteristic ORDER BY ord, name, host_ord;
