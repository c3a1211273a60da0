-- Does the speed grow with the threads if the work grows too? SPDX-License-Identifier: MIT
-- asks.ru: Растёт ли скорость с числом потоков, если растёт и работа
-- says: From $n = \fact{least_n}$ on one thread to $n = \fact{n}$ on \fact{threads}, \iffact{list}{rates are
--   multiplied by (\fact{precision}, in brackets the efficiency): \fact{list}}\nofact{list}{the rate of
--   \code{idea}\iffact{tile}{, tile \range{least_tile}{tile},} is multiplied by \range{least}{most} (\fact{precision}),
--   an efficiency of \range{least_efficiency}{efficiency}\,\%}.
-- says.ru: От $n = \fact{least_n}$ на одном потоке до $n = \fact{n}$ на
--   \fact{threads}~\forms{threads}{потоке}{потоках}{потоках} \iffact{list}{скорости умножаются на числа
--   (\fact{precision}, в скобках эффективность): \fact{list}}\nofact{list}{скорость \code{idea}\iffact{tile}{ (тайл
--   \range{least_tile}{tile})} умножается на \range{least}{most} (\fact{precision}); эффективность
--   \range{least_efficiency}{efficiency}\,\%}.
-- rank: 25
-- chapter: matmul
-- facts
WITH shared AS (SELECT *, n / threads AS share FROM compared WHERE threads IS NOT NULL AND n % threads = 0),
pairs AS (
    SELECT a.*, b.n AS least_n, a.gflops / b.gflops AS x,
           ratio_low(b.span, a.span) AS time_low,
           all_flags(a.flagged, b.flagged) AS any_flagged,
           dense_rank() OVER (PARTITION BY a.host, a.experiment, a.variant
                              ORDER BY a.threads DESC, a.share DESC, a.precision) AS turn
    FROM shared a JOIN shared b ON b.host = a.host AND b.experiment = a.experiment AND b.variant = a.variant
      AND b.machine = a.machine
      AND b.share = a.share AND b.tile IS a.tile AND b.precision = a.precision AND b.threads = 1 AND a.threads > 1
    WHERE NOT a.vendor AND EXISTS (SELECT 1 FROM figures f WHERE f.host = a.host AND f.experiment = a.experiment
                                     AND f.name = 'iso-granularity')),
told AS (
    SELECT host, host_ord, experiment, study_ord, problem, idea, precision, min(tile) AS least_tile,
           max(tile) AS tile, threads, least_n, n,
           marked(ratio(min(x)), all_flags(any_flagged)) AS least,
           marked(ratio(max(x)), all_flags(any_flagged)) AS most,
           iif(max(time_low) IS NULL, 'single', NULL) AS verdict, sig(100 * min(x) / threads, 3) AS least_efficiency,
           sig(100 * max(x) / threads, 3) AS efficiency
    FROM pairs WHERE turn = 1 GROUP BY host, experiment, variant),
-- Variants of one study share a sentence.
listed AS (
    SELECT *, count(*) OVER alike AS variants,
           group_concat(idea || ' ' || translated(least) || iif(least = most, '', '–' || translated(most))
                        || ' (' || translated(least_efficiency)
                        || iif(least_efficiency = efficiency, '', '–' || translated(efficiency)) || ' %)', '; ')
             OVER (alike ORDER BY idea ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS list,
           row_number() OVER (alike ORDER BY idea) AS turn
    FROM told
    WINDOW alike AS (PARTITION BY host, experiment, precision, threads, least_n, n, verdict))
SELECT host, experiment, idea, precision, least_tile, tile, threads, least_n, n, least, most, verdict,
       least_efficiency, efficiency, iif(variants > 1, list, NULL) AS list
FROM listed WHERE turn = 1 OR verdict = 'single' ORDER BY host_ord, problem DESC, study_ord, idea;
