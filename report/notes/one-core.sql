-- How near the packed product and the library come to the multiply-add peak of one core. SPDX-License-Identifier: MIT
-- says: On one core \code{idea} reaches \fact{share}\,\% of the measured FMA peak, and \code{base}
--   \fact{base_share}\,\% (\fact{precision}, $n = \fact{n}$).
-- says.ru: На одном ядре \code{idea} достигает \fact{share}\,\% измеренного пика FMA, а \code{base} —
--   \fact{base_share}\,\% (\fact{precision}, $n = \fact{n}$).
-- facts
WITH found AS (
    SELECT v.*, o.share, l.share AS base_share,
           row_number() OVER (PARTITION BY v.host, v.experiment, v.precision ORDER BY v.n DESC, v.median_s, b.place)
               AS turn
    FROM versus v JOIN library_cells b USING (host, experiment, task, side, contract)
    JOIN peaks o ON o.host = v.host AND o.experiment = v.experiment AND o.cell = v.cell
    JOIN peaks l ON l.host = v.host AND l.experiment = v.experiment AND l.cell = v.base_cell
    WHERE b.cell = v.base_cell AND v.problem = 'matmul' AND v.idea = 'omp-packed' AND v.threads = 1 AND b.threads = 1
      AND o.share > 0 AND l.share > 0)
SELECT host, experiment, idea, precision, n, base, marked(sig(share), own_flagged) AS share,
       marked(sig(base_share), base_flagged) AS base_share
FROM found WHERE turn = 1 ORDER BY host_ord, study_ord, precision;
