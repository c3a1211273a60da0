-- From which n does the GPU win, with pageable, pinned and resident operands? SPDX-License-Identifier: MIT
-- asks.ru: С какого n выигрывает GPU: с обычной памятью, с закреплённой и без копирования
-- says: \code{gpu} overtakes \code{cpu} on \fact{threads}~\plural{threads}{thread}{threads} with copies from pageable
--   memory \nofact{pageable_from}{at no size}\iffact{pageable_from}{\iffact{pageable_below}{between $n =
--   \fact{pageable_below}$ and \fact{pageable_from}}\nofact{pageable_below}{at or below $n =
--   \fact{pageable_from}$}}\iffact{pinned}{, from pinned memory \nofact{pinned_from}{at no
--   size}\iffact{pinned_from}{\iffact{pinned_below}{between $n = \fact{pinned_below}$ and
--   \fact{pinned_from}}\nofact{pinned_below}{at or below $n = \fact{pinned_from}$}}}\nofact{pinned}{ (pinned memory was
--   not measured)}, and with resident operands \nofact{resident_from}{at no
--   size}\iffact{resident_from}{\iffact{resident_below}{between $n = \fact{resident_below}$ and
--   \fact{resident_from}}\nofact{resident_below}{at or below $n = \fact{resident_from}$}}; at $n = \fact{n}$
--   (\fact{precision}) it is \ratio{} times as fast with copies from pageable memory, \iffact{pinned}{\ratio[pinned_]{}
--   times from pinned memory, }\ratio[kernel_]{} times without copies.
-- says.ru: \code{gpu} обгоняет \code{cpu} (потоков: \fact{threads}) с копированием из обычной памяти
--   \nofact{pageable_from}{ни при каком размере}\iffact{pageable_from}{\iffact{pageable_below}{между $n =
--   \fact{pageable_below}$ и \fact{pageable_from}}\nofact{pageable_below}{не позже $n =
--   \fact{pageable_from}$}}\iffact{pinned}{, из закреплённой \nofact{pinned_from}{ни при каком
--   размере}\iffact{pinned_from}{\iffact{pinned_below}{между $n = \fact{pinned_below}$ и
--   \fact{pinned_from}}\nofact{pinned_below}{не позже $n = \fact{pinned_from}$}}}\nofact{pinned}{ (закреплённая не
--   измерена)}, без копирования \nofact{resident_from}{ни при каком
--   размере}\iffact{resident_from}{\iffact{resident_below}{между $n = \fact{resident_below}$ и
--   \fact{resident_from}}\nofact{resident_below}{не позже $n = \fact{resident_from}$}}; при $n = \fact{n}$
--   (\fact{precision}) отношение скоростей из обычной памяти \ratio{}, \iffact{pinned}{из закреплённой
--   \ratio[pinned_]{}, }без копирования \ratio[kernel_].
-- lacks: No machine has a library on the GPU, with its copies, beside one on the CPU.
-- lacks.ru: Ни на одной машине нет библиотеки на GPU вместе с копированием рядом с библиотекой на процессоре.
-- rank: 8
-- answer: 5
-- chapter: matmul
--
-- The two numbers of a crossover are neighbours in the grid: the largest size at which the CPU is faster, and the
-- smallest from which on the GPU always is. The interval of a time with copies is as wide as that of the kernel alone.
-- facts
WITH gpu AS (
    SELECT *, 'resident' AS operands, 0 AS extra_s FROM compared WHERE total_s > 0
    UNION ALL
    SELECT *, 'pageable', total_s - median_s FROM compared WHERE total_s > 0
    UNION ALL
    SELECT *, 'pinned', total_s - median_s FROM shown_cell
    WHERE host_memory = 'pinned' AND conditions = 1 AND total_s > 0),
pairs AS (
    SELECT g.host, g.host_ord, g.experiment, g.study_ord, g.machine, g.precision, g.n, g.operands, g.idea AS gpu,
           c.idea AS cpu, l.threads, l.median_s / (g.median_s + g.extra_s) AS x,
           l.ci_lo_s / (g.ci_hi_s + g.extra_s) AS x_low, l.ci_hi_s / (g.ci_lo_s + g.extra_s) AS x_high,
           all_flags(g.flagged, l.flagged) AS flagged,
           row_number() OVER (PARTITION BY g.host, g.experiment, g.machine, g.precision, g.n, g.operands
                              ORDER BY g.median_s + g.extra_s, l.median_s) AS best
    FROM gpu g JOIN compared c ON c.host = g.host AND c.experiment = g.experiment AND c.machine = g.machine
      AND c.problem = g.problem AND c.precision = g.precision AND c.n = g.n AND c.contract = g.contract
    JOIN library_cells l ON l.host = c.host AND l.experiment = c.experiment AND l.cell = c.cell
    WHERE g.problem = 'matmul' AND g.side = 'GPU' AND g.vendor AND g.input_roundoff = 0 AND coalesce(g.gpus, 1) = 1
      AND c.side = 'CPU' AND l.place = 1 AND l.contract = c.contract),
-- `since`: the smallest n from which on the GPU wins at every size.
crossed AS (
    SELECT p.*, max(n) OVER curve AS most_n, (SELECT min(o.n) FROM pairs o
                      WHERE o.best = 1 AND (o.host, o.experiment, o.machine, o.precision, o.operands)
                                           = (p.host, p.experiment, p.machine, p.precision, p.operands)
                        AND o.n > coalesce((SELECT max(q.n) FROM pairs q
                                            WHERE q.best = 1 AND q.x <= 1
                                              AND (q.host, q.experiment, q.machine, q.precision, q.operands)
                                                  = (p.host, p.experiment, p.machine, p.precision, p.operands)),
                                           0)) AS since,
           max(iif(x <= 1, n, NULL)) OVER curve AS below
    FROM pairs p WHERE best = 1 WINDOW curve AS (PARTITION BY host, experiment, machine, precision, operands)),
last AS (SELECT * FROM crossed WHERE n = most_n),
found AS (
    SELECT a.*, r.since AS resident_from, r.below AS resident_below, r.x AS kernel_x, r.x_low AS kernel_x_low,
           r.x_high AS kernel_x_high, r.flagged AS kernel_flagged, p.operands AS pinned, p.since AS pinned_from,
           p.below AS pinned_below, p.x AS pinned_x, p.x_low AS pinned_x_low, p.x_high AS pinned_x_high,
           p.flagged AS pinned_flagged,
           row_number() OVER (PARTITION BY a.host, a.experiment ORDER BY p.operands IS NULL, a.n DESC, a.precision)
             AS turn
    FROM last a JOIN last r USING (host, experiment, machine, precision)
    LEFT JOIN last p ON p.host = a.host AND p.experiment = a.experiment AND p.machine = a.machine
      AND p.precision = a.precision AND p.n = a.n AND p.operands = 'pinned'
    WHERE a.operands = 'pageable' AND r.operands = 'resident')
SELECT host, experiment, precision, n, gpu, cpu, threads, since AS pageable_from, below AS pageable_below, pinned,
       pinned_from, pinned_below, resident_from, resident_below, ratio(x) AS ratio, ratio(x_low) AS low,
       ratio(x_high) AS high, flagged, ratio(pinned_x) AS pinned_ratio, ratio(pinned_x_low) AS pinned_low,
       ratio(pinned_x_high) AS pinned_high, pinned_flagged, ratio(kernel_x) AS kernel_ratio,
       ratio(kernel_x_low) AS kernel_low, ratio(kernel_x_high) AS kernel_high, kernel_flagged
FROM found WHERE turn = 1 ORDER BY host_ord, pinned IS NULL, n DESC, study_ord;
