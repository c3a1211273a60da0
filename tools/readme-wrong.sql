-- The variants of a host that are wrong somewhere, whose times no table has, as one sentence; nothing without such.
-- SPDX-License-Identifier: MIT
SELECT 'No time counts of a variant that is wrong somewhere: '
       || group_concat('`' || variant || '` (' || status || ' at ' || settings || ')', ', ') || '.'
FROM (SELECT * FROM faulty ORDER BY variant) HAVING count(*) > 0;
