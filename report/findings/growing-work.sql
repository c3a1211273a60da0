-- Does the speed grow with the threads if the work grows too? SPDX-License-Identifier: MIT
-- asks.ru: Растёт ли скорость с числом потоков, если растёт и работа
-- says: From $n = \fact{least_n}$ on one thread to $n = \fact{n}$ on \fact{threads}, the rate of
--   \code{idea}\iffact{tile}{, tile \fact{tile},} grows \ratio{} times (\fact{precision}), which is
--   \fact{efficiency}\,\% of the growth of the threads.
-- says.ru: От $n = \fact{least_n}$ на одном потоке до $n = \fact{n}$ при числе потоков \fact{threads} скорость
--   \code{idea}\iffact{tile}{ (тайл \fact{tile})} растёт в \ratio{} \forms{ratio}{раз}{раза}{раз} (\fact{precision}),
--   что составляет \fact{efficiency}\,\% роста числа потоков.
-- rank: 25
-- chapter: matmul
-- facts
WITH shared AS (SELECT *, n / threads AS share FROM cells WHERE threads IS NOT NULL AND n % threads = 0),
pairs AS (
    SELECT a.*, b.n AS least_n, a.gflops / b.gflops AS x,
           a.gflops * a.median_s / a.ci_hi_s / (b.gflops * b.median_s / b.ci_lo_s) AS x_low,
           a.gflops * a.median_s / a.ci_lo_s / (b.gflops * b.median_s / b.ci_hi_s) AS x_high,
           iif(a.flagged OR b.flagged, 1, 0) AS any_flagged,
           row_number() OVER (PARTITION BY a.host, a.experiment, a.variant
                              ORDER BY a.threads DESC, a.share DESC, a.median_s) AS turn
    FROM shared a JOIN shared b ON b.host = a.host AND b.experiment = a.experiment AND b.variant = a.variant
      AND b.machine = a.machine
      AND b.share = a.share AND b.tile IS a.tile AND b.precision = a.precision AND b.threads = 1 AND a.threads > 1
    WHERE NOT a.vendor AND EXISTS (SELECT 1 FROM figures f WHERE f.host = a.host AND f.experiment = a.experiment
                                     AND f.name = 'iso-granularity'))
SELECT host, experiment, idea, precision, tile, threads, least_n, n, ratio(x) AS ratio, ratio(x_low) AS low,
       ratio(x_high) AS high, any_flagged AS flagged, sig(100 * x / threads, 3) AS efficiency
FROM pairs WHERE turn = 1 ORDER BY host_ord, problem DESC, study_ord, idea;
