-- How reproducible the times of a host are, as one sentence; nothing where no kernel was measured in several runs.
-- SPDX-License-Identifier: MIT
-- needs: ../report/between.sql
SELECT 'Times of the same kernel in two studies or on two machines of a kind, the slower over the faster one: '
       || group_concat(printf('%.3f at the median%s on %s (%d pairs)', median,
                              iif(enough, printf(' and %.3f at the 90th percentile', p90), ''),
                              CASE device WHEN 'GPU' THEN 'the GPU' WHEN 'CPU, all threads' THEN 'all cores'
                                          ELSE 'fewer cores' END, pairs), '; ')
       || '. `tilelab show --between --data data/' || host || '` prints the whole table.'
FROM (SELECT * FROM spread WHERE place = 'run' AND NOT probe AND host IS NOT NULL
      ORDER BY device <> 'GPU', device = 'CPU, few threads')
GROUP BY host;
