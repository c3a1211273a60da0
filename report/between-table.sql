-- How far times of one cell lie apart, as a table, and facts for the text beside it. Of more folders than :most only
-- the first one and pairs of two folders have rows. Run report/between.sql before this file.
-- SPDX-License-Identifier: MIT
-- group
-- align: llllrrrrrrrr
SELECT iif(host IS NULL OR (SELECT count(DISTINCT coalesce(host, '')) FROM spread) > 1,
           iif(host = 'local', 'this machine', coalesce(host, 'several folders')), NULL) AS "Host",
       device AS "Device", work AS "What", measured_in AS "Measured again in", cells AS "Cells", pairs AS "Pairs",
       printf('%.3f', median) AS "Median", printf('%.3f', p75) AS "75 %", printf('%.3f', p90) AS "90 %",
       printf('%.3f', largest) AS "Largest", printf('%.1f', 100 * above) AS "Over 1.1, %",
       iif(apart IS NULL, NULL, printf('%.1f', 100 * apart)) AS "Apart, %"
FROM measured_again
WHERE host IS NULL OR ord = 0 OR (SELECT count(DISTINCT host) FROM spread) <= CAST(:most AS INTEGER) ORDER BY row;

-- The kernels that were measured in several runs. `named`: 1 in the first row of each host, if there are several hosts.
-- facts
SELECT host, iif((SELECT count(DISTINCT host) FROM spread) > 1
                 AND row_number() OVER (PARTITION BY host ORDER BY device = 'GPU', device = 'CPU, all threads') = 1,
                 1, NULL) AS named,
       CASE device WHEN 'GPU' THEN 'gpu' WHEN 'CPU, all threads' THEN 'all' ELSE 'few' END AS device, pairs,
       printf('%.3f', median) AS median, printf('%.3f', p90) AS p90
FROM spread JOIN hosts h USING (host)
WHERE place = 'run' AND NOT probe
  AND (h.ord = 0 OR (SELECT count(DISTINCT host) FROM spread) <= CAST(:most AS INTEGER))
ORDER BY h.ord, device = 'GPU', device = 'CPU, all threads';
