-- What the label of a host may say of the host, and the chapters of the report, between blanks.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- facts
SELECT host, iif(ord = 0, 1, 0) AS local, coalesce(gpu, cpu, host) AS device,
       (SELECT max(CAST(m.value AS INTEGER)) || ' W' FROM machine m
        WHERE m.host = about.host AND m.key = 'gpu.power_limit_w') AS "limit",
       (SELECT ' ' || replace(group_concat(DISTINCT chapter), ',', ' ') || ' ' FROM study) AS chapters
FROM about ORDER BY ord;
