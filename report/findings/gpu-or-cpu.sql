-- Is the product of the GPU faster than that of the CPU, copies included? SPDX-License-Identifier: MIT
-- asks.ru: Быстрее ли произведение на GPU, чем на процессоре, с учётом копирования
-- says: \code{gpu} with its copies is \ratio{} times as fast as \code{cpu} on \fact{threads}~threads at $n =
--   \fact{n}$ (\fact{precision})\iffact{from_n}{, and it is faster from $n = \fact{from_n}$ on}; without the copies
--   it would be \ratio[kernel_]{} times as fast.
-- says.ru: \code{gpu} вместе с копированием быстрее \code{cpu} (потоков: \fact{threads}) в \ratio{}
--   \forms{ratio}{раз}{раза}{раз} при $n = \fact{n}$ (\fact{precision})\iffact{from_n}{, выигрыш начинается с $n =
--   \fact{from_n}$}; без копирования — в \ratio[kernel_]{} \forms{kernel_ratio}{раз}{раза}{раз}.
-- rank: 8
-- chapter: matmul
-- The interval of a time with copies is as wide as that of the kernel alone.
-- facts
WITH pairs AS (
    SELECT g.host, g.host_ord, g.experiment, g.study_ord, g.precision, g.n, g.idea AS gpu, c.idea AS cpu, c.threads,
           c.median_s / g.total_s AS x, c.ci_lo_s / (g.total_s + g.ci_hi_s - g.median_s) AS x_low,
           c.ci_hi_s / (g.total_s + g.ci_lo_s - g.median_s) AS x_high, c.median_s / g.median_s AS kernel_x,
           ratio_low(c.span, g.span) AS kernel_x_low, ratio_high(c.span, g.span) AS kernel_x_high,
           all_flags(g.flagged, c.flagged) AS either,
           row_number() OVER (PARTITION BY g.host, g.experiment, g.precision, g.n
                              ORDER BY g.total_s, c.median_s) AS best
    FROM compared g JOIN library_cells l USING (host, experiment, task, side, contract, cell)
    JOIN library_cells c ON c.host = g.host AND c.experiment = g.experiment AND c.task = g.task
      AND c.contract = g.contract
    WHERE g.problem = 'matmul' AND g.side = 'GPU' AND l.place = 1 AND g.total_s > 0 AND c.side = 'CPU' AND c.place = 1),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment
                                 ORDER BY n DESC, precision) AS turn FROM pairs WHERE best = 1)
SELECT f.host, f.experiment, f.precision, f.n, f.gpu, f.cpu, f.threads, ratio(f.x) AS ratio,
       ratio(f.x_low) AS low, ratio(f.x_high) AS high, f.either AS flagged, ratio(f.kernel_x) AS kernel_ratio,
       ratio(f.kernel_x_low) AS kernel_low, ratio(f.kernel_x_high) AS kernel_high, f.either AS kernel_flagged,
       (SELECT min(p.n) FROM pairs p
        WHERE p.host = f.host AND p.experiment = f.experiment AND p.precision = f.precision AND p.best = 1 AND p.x > 1
          AND NOT EXISTS (SELECT 1 FROM pairs o WHERE o.host = p.host AND o.experiment = p.experiment
                            AND o.precision = p.precision AND o.best = 1 AND o.n > p.n AND o.x <= 1)) AS from_n
FROM found f WHERE turn = 1 ORDER BY host_ord, n DESC, study_ord;
