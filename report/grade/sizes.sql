-- The times of one submission beside those of the baseline, a row of the table `sizes` for each size.
-- Parameter: :folder. SPDX-License-Identifier: MIT
SELECT :folder AS folder, n, median(own_s) AS own_s, median(base_s) AS base_s, median(base_s / own_s) AS ratio
FROM rounds GROUP BY n ORDER BY n;
