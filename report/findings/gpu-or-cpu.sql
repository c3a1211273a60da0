-- From which n does the GPU win, with pageable, pinned and resident operands? SPDX-License-Identifier: MIT
-- asks.ru: С какого n выигрывает GPU: с обычной памятью, с закреплённой и без копирования
-- says: \code{idea} overtakes \code{base} on \fact{threads}~\plural{threads}{thread}{threads} with copies from pageable
--   memory \iffact{pageable_from}{\iffact{pageable_below}{between $n = \fact{pageable_below}$ and
--   \fact{pageable_from}}\nofact{pageable_below}{at or below $n = \fact{pageable_from}$}\iffact{pageable_at}{, near
--   \fact{pageable_at}}}\nofact{pageable_from}{at no size for certain\iffact{pageable_at}{, near $n =
--   \fact{pageable_at}$}}\iffact{pinned}{; from pinned memory \iffact{pinned_from}{\iffact{pinned_below}{between $n =
--   \fact{pinned_below}$ and \fact{pinned_from}}\nofact{pinned_below}{at or below $n =
--   \fact{pinned_from}$}\iffact{pinned_at}{, near \fact{pinned_at}}}\nofact{pinned_from}{at no size for
--   certain\iffact{pinned_at}{, near $n = \fact{pinned_at}$}}}\nofact{pinned}{ (pinned memory was not measured)}; with
--   resident operands \iffact{resident_from}{\iffact{resident_below}{between $n = \fact{resident_below}$ and
--   \fact{resident_from}}\nofact{resident_below}{at or below $n = \fact{resident_from}$}\iffact{resident_at}{, near
--   \fact{resident_at}}}\nofact{resident_from}{at no size for certain\iffact{resident_at}{, near $n =
--   \fact{resident_at}$}}. At $n = \fact{n}$ (\fact{precision}) it is \ratio{} times as fast with copies from pageable
--   memory\judged, \iffact{pinned}{\ratio[pinned_]{} times from pinned memory\judged[pinned_], }\ratio[kernel_]{}
--   times without copies\judged[kernel_].
-- says.ru: \code{idea} обгоняет \code{base} (потоков: \fact{threads}) с копированием из обычной памяти
--   \iffact{pageable_from}{\iffact{pageable_below}{между $n = \fact{pageable_below}$ и
--   \fact{pageable_from}}\nofact{pageable_below}{не позже $n = \fact{pageable_from}$}\iffact{pageable_at}{, около
--   \fact{pageable_at}}}\nofact{pageable_from}{достоверно ни при каком размере\iffact{pageable_at}{, около $n =
--   \fact{pageable_at}$}}\iffact{pinned}{; из закреплённой \iffact{pinned_from}{\iffact{pinned_below}{между $n =
--   \fact{pinned_below}$ и \fact{pinned_from}}\nofact{pinned_below}{не позже $n =
--   \fact{pinned_from}$}\iffact{pinned_at}{, около \fact{pinned_at}}}\nofact{pinned_from}{достоверно ни при каком
--   размере\iffact{pinned_at}{, около $n = \fact{pinned_at}$}}}\nofact{pinned}{ (закреплённая не измерена)}; без
--   копирования \iffact{resident_from}{\iffact{resident_below}{между $n = \fact{resident_below}$ и
--   \fact{resident_from}}\nofact{resident_below}{не позже $n = \fact{resident_from}$}\iffact{resident_at}{, около
--   \fact{resident_at}}}\nofact{resident_from}{достоверно ни при каком размере\iffact{resident_at}{, около $n =
--   \fact{resident_at}$}}. При $n = \fact{n}$ (\fact{precision}) отношение скоростей из обычной памяти \ratio\judged,
--   \iffact{pinned}{из закреплённой \ratio[pinned_]\judged[pinned_], }без копирования \ratio[kernel_]\judged[kernel_].
-- lacks: No machine has a library on the GPU, with its copies, beside one on the CPU.
-- lacks.ru: Ни на одной машине нет библиотеки на GPU вместе с копированием рядом с библиотекой на процессоре.
-- rank: 8
-- answer: 5
-- chapter: matmul
--
-- The two numbers of a crossover are the largest size at which the CPU is faster for certain, and the smallest from
-- which on the GPU always is; sizes whose times may give no verdict do not count. Between the two numbers the ratio of
-- the medians is 1 at the interpolated size, if lines join the neighbours over the logarithms of both. The interval of
-- a time with copies is as wide as that of the kernel alone.
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
           all_flags(g.flagged, l.flagged) AS flagged, coalesce(g.weak, l.weak) AS weak,
           row_number() OVER (PARTITION BY g.host, g.experiment, g.machine, g.precision, g.n, g.operands
                              ORDER BY g.median_s + g.extra_s, l.median_s) AS best
    FROM gpu g JOIN compared c ON c.host = g.host AND c.experiment = g.experiment AND c.machine = g.machine
      AND c.problem = g.problem AND c.precision = g.precision AND c.n = g.n AND c.contract = g.contract
    JOIN library_cells l ON l.host = c.host AND l.experiment = c.experiment AND l.cell = c.cell
    WHERE g.problem = 'matmul' AND g.side = 'GPU' AND g.vendor AND g.input_roundoff = 0 AND coalesce(g.gpus, 1) = 1
      AND c.side = 'CPU' AND l.place = 1 AND l.contract = c.contract),
judged AS (SELECT *, verdict(x, x_low, x_high, weak) AS verdict FROM pairs WHERE best = 1),
placed AS (
    SELECT *, max(n) OVER curve AS most_n, max(iif(x <= 1, n, NULL)) OVER curve AS last_n,
           max(iif(verdict = 'slower', n, NULL)) OVER curve AS below,
           coalesce(max(iif(verdict = 'faster' OR weak IS NOT NULL, NULL, n)) OVER curve, 0) AS open_n,
           lead(n) OVER (curve ORDER BY n) AS next_n, lead(x) OVER (curve ORDER BY n) AS next_x
    FROM judged WINDOW curve AS (PARTITION BY host, experiment, machine, precision, operands)),
-- `since`: the smallest n from which on the GPU wins at every size. `at`: where the ratio is 1. `near`: the same, if it
-- lies between sizes that decide.
crossed AS (
    SELECT *, min(iif(n > open_n AND verdict = 'faster', n, NULL)) OVER curve AS since,
           max(iif(n = last_n, CAST(round(exp(ln(n) - ln(x) * (ln(next_n) - ln(n)) / (ln(next_x) - ln(x)))) AS INTEGER),
                   NULL)) OVER curve AS at
    FROM placed WINDOW curve AS (PARTITION BY host, experiment, machine, precision, operands)),
bounded AS (SELECT *, iif(at BETWEEN coalesce(below, 0) AND coalesce(since, at), at, NULL) AS near FROM crossed),
last AS (SELECT * FROM bounded WHERE n = most_n),
found AS (
    SELECT a.*, r.since AS resident_from, r.below AS resident_below, r.near AS resident_at, r.x AS kernel_x,
           r.x_low AS kernel_x_low, r.x_high AS kernel_x_high, r.flagged AS kernel_flagged, r.verdict AS kernel_verdict,
           p.operands AS pinned, p.since AS pinned_from, p.below AS pinned_below, p.near AS pinned_at, p.x AS pinned_x,
           p.x_low AS pinned_x_low, p.x_high AS pinned_x_high, p.flagged AS pinned_flagged,
           p.verdict AS pinned_verdict,
           row_number() OVER (PARTITION BY a.host, a.experiment ORDER BY p.operands IS NULL, a.n DESC, a.precision)
             AS turn
    FROM last a JOIN last r USING (host, experiment, machine, precision)
    LEFT JOIN last p ON p.host = a.host AND p.experiment = a.experiment AND p.machine = a.machine
      AND p.precision = a.precision AND p.n = a.n AND p.operands = 'pinned'
    WHERE a.operands = 'pageable' AND r.operands = 'resident')
SELECT host, experiment, precision, n, gpu AS idea, cpu AS base, threads, since AS pageable_from,
       below AS pageable_below, near AS pageable_at, pinned, pinned_from, pinned_below, pinned_at, resident_from,
       resident_below, resident_at, ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high, flagged, verdict,
       ratio(pinned_x) AS pinned_ratio, ratio(pinned_x_low) AS pinned_low, ratio(pinned_x_high) AS pinned_high,
       pinned_flagged, pinned_verdict, ratio(kernel_x) AS kernel_ratio, ratio(kernel_x_low) AS kernel_low,
       ratio(kernel_x_high) AS kernel_high, kernel_flagged, kernel_verdict
FROM found WHERE turn = 1 ORDER BY host_ord, pinned IS NULL, n DESC, study_ord;
