-- How wide the intervals of a run's medians are: half the width in per cent of the median, that this part of the cells
-- does not exceed. Probes and times without an interval do not count. SPDX-License-Identifier: MIT
WITH cells AS (
    SELECT 50 * (ci_hi_s - ci_lo_s) / median_s AS width FROM results
    WHERE status = 'ok' AND NOT probe AND ci_hi_s IS NOT NULL),
ranked AS (SELECT width, percent_rank() OVER (ORDER BY width) AS place FROM cells),
parts(share) AS (VALUES (0.1), (0.25), (0.5), (0.75), (0.9))
SELECT printf('%.0f %% of %d cells', 100 * share, (SELECT count(*) FROM cells)) AS part,
       printf('%.2f', max(width)) AS width
FROM parts JOIN ranked ON place <= share GROUP BY share ORDER BY share;
