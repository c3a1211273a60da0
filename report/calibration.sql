-- What the last calibration of each host says of the rule of comparison: a row for each host and side.
-- `share`: per cent of the cells that the rule calls faster or slower, although both times are of the same code.
-- `width`: half the width of a ratio's interval in per cent, of half the cells and of 95 % of the cells at most.
-- SPDX-License-Identifier: MIT
CREATE TEMP VIEW calibrated AS
WITH one AS (
    SELECT *, 50 * (high - low) AS width,
           percent_rank() OVER (PARTITION BY host, side ORDER BY high - low) AS place
    FROM calibration WHERE verdict <> 'single')
SELECT host, side, count(*) AS cells, count(*) FILTER (WHERE verdict = 'faster') AS faster,
       count(*) FILTER (WHERE verdict = 'slower') AS slower, count(*) FILTER (WHERE verdict = 'same') AS same,
       count(*) FILTER (WHERE verdict = 'undecided') AS undecided,
       sig(100.0 * count(*) FILTER (WHERE verdict IN ('faster', 'slower')) / count(*)) AS share,
       sig(median(width), 2) AS width, sig(max(iif(place <= 0.95, width, NULL)), 2) AS width_most,
       max(profile) AS profile
FROM one GROUP BY host, side;
