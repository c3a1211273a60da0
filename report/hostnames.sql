-- What the label of a host may say of the host, and the chapters of the report, between blanks. Run report/chosen.sql
-- before this file. SPDX-License-Identifier: MIT
-- facts
SELECT host, iif(ord = 0, 1, 0) AS local, coalesce(gpu, cpu, host) AS device,
       (SELECT max(CAST(m.value AS INTEGER)) || ' W' FROM machine m
        WHERE m.host = about.host AND m.key = 'gpu.power_limit_w') AS "limit",
       (SELECT ' ' || replace(group_concat(DISTINCT chapter), ',', ' ') || ' ' FROM study) AS chapters
FROM about ORDER BY ord;
