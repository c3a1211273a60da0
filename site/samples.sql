-- All samples of each study on each host, as a call of JavaScript. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
WITH each AS (
    SELECT s.host, s.experiment, s.cell,
           json_group_array(json_array(s.round, s.launch, s."index", s.repeats, s.kernel_s, s.cpu_s, s.total_s,
                                       s.iterations, round(s.clock_hz / 1e9, 3), s.temperature_c, round(s.power_w, 1),
                                       s.energy_j, s.flags)) AS rows
    FROM samples s JOIN chosen USING (host, experiment) GROUP BY s.host, s.experiment, s.cell)
SELECT c.experiment, c.host,
       'tilelab.samples('
       || coalesce((SELECT json_group_object(e.cell, json(e.rows)) FROM each e
                    WHERE e.host = c.host AND e.experiment = c.experiment), '{}') || ');'
FROM chosen c;
