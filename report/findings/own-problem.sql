-- Where no library stands beside the own variants, which is the fastest? SPDX-License-Identifier: MIT
-- asks.ru: Какой из собственных вариантов быстрее всех там, где библиотеки рядом нет
-- says: Of \fact{count} variants of \code{problem}, \code{variant} takes the least time, \fact{time}\iffact{rate}{, at
--   \fact{rate}}\iffact{share}{, which is \fact{share}\,\% of the read bandwidth}. It \speed{} \code{base}\judged{}
--   (\fact{precision}, $n = \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}).
-- says.ru: Из вариантов задачи \code{problem} (их \fact{count}) наименьшее время у \code{variant}:
--   \fact{time}\iffact{rate}{, \fact{rate}}\iffact{share}{, то есть \fact{share}\,\% пропускной способности чтения}.
--   \code{variant} \speed{} \code{base}\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков:
--   \fact{threads}}).
-- rank: 30
--
-- The base is the first variant of the problem in the order of the registry; if this one is the fastest, the second
-- fastest. A problem has a row for each device, of the study with the largest n.
-- facts
WITH alone AS (
    SELECT c.*, min(c.ord) OVER task_there AS first, count(*) OVER task_there AS size,
           row_number() OVER (PARTITION BY c.host, c.experiment, c.task, c.side ORDER BY c.median_s, c.cell) AS speed
    FROM compared c
    WHERE c.place = 1 AND c.widest AND NOT c.solver
      AND NOT EXISTS (SELECT 1 FROM library_cells l WHERE l.host = c.host AND l.problem = c.problem)
    WINDOW task_there AS (PARTITION BY c.host, c.experiment, c.task, c.side)),
found AS (
    SELECT a.host, a.host_ord, a.experiment, a.study_ord, a.problem, a.side, a.variant, a.precision, a.n, a.threads,
           a.size AS count, marked(si(a.median_s, 's'), a.flagged) AS time,
           marked(iif(a.by_bytes, si(1e9 * a.gbs, 'B/s'), si(1e9 * a.gflops, 'FLOP/s')), a.flagged) AS rate,
           iif(a.by_bytes AND a.gbs <= p.gbs, sig(100 * a.gbs / p.gbs), NULL) AS share,
           b.variant AS base, b.median_s / a.median_s AS x, ratio_low(b.span, a.span) AS x_low,
           ratio_high(b.span, a.span) AS x_high, all_flags(a.flagged, b.flagged) AS flagged,
           coalesce(a.weak, b.weak) AS weak,
           row_number() OVER (PARTITION BY a.host, a.problem, a.side
                              ORDER BY a.n DESC, a.precision DESC, a.study_ord) AS turn
    FROM alone a JOIN alone b USING (host, experiment, task, side) LEFT JOIN peaks p ON p.host = a.host
      AND p.experiment = a.experiment AND p.cell = a.cell
    WHERE a.speed = 1 AND b.cell <> a.cell AND (b.ord = b.first OR (a.ord = a.first AND b.speed = 2)))
SELECT host, experiment, problem, side, variant, base, precision, n, threads, count, time, rate, share,
       ratio(x) AS ratio, ratio(x_low) AS low, ratio(x_high) AS high, verdict(x, x_low, x_high, weak) AS verdict, flagged,
       ratio(1 / x) AS cost_ratio, ratio(1 / x_high) AS cost_low, ratio(1 / x_low) AS cost_high,
       flagged AS cost_flagged, iif(x < 1, 1, 0) AS slower
FROM found WHERE turn = 1 ORDER BY host_ord, problem, side DESC;
