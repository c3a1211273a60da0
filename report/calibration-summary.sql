-- What the last calibration of each host says of the rule of comparison: a row for each host and side.
-- `pairs`: comparisons of the same code under two names; `share`: per cent that the rule calls faster or slower.
-- `width`: half the width of a ratio's interval in per cent, of half the pairs and of 95 % of the pairs at most.
-- `halved`: cells whose launches were split in two halves; `overlap`: per cent of them whose intervals overlap.
-- SPDX-License-Identifier: MIT
CREATE TEMP VIEW calibrated AS
WITH one AS (
    SELECT *, 50 * (high - low) AS width,
           percent_rank() OVER (PARTITION BY host, side ORDER BY high - low) AS place
    FROM calibration WHERE verdict <> 'single')
SELECT host, side, count(*) AS pairs, count(*) FILTER (WHERE verdict = 'faster') AS faster,
       count(*) FILTER (WHERE verdict = 'slower') AS slower, count(*) FILTER (WHERE verdict = 'same') AS same,
       count(*) FILTER (WHERE verdict = 'undecided') AS undecided,
       sig(100.0 * count(*) FILTER (WHERE verdict IN ('faster', 'slower')) / count(*)) AS share,
       sig(median(width), 2) AS width, sig(max(iif(place <= 0.95, width, NULL)), 2) AS width_most,
       nullif(2 * count(overlaps), 0) AS halved, sig(100.0 * sum(overlaps) / nullif(2 * count(overlaps), 0)) AS overlap,
       max(profile) AS profile
FROM one GROUP BY host, side;
