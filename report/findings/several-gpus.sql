-- What does a second GPU add? SPDX-License-Identifier: MIT
-- asks.ru: Что даёт второй GPU
-- says: \code{variant} on \fact{gpus} GPUs \speed{} \code{base} on one\judged{} (\fact{precision}, $n = \fact{n}$), an
--   efficiency of \fact{efficiency}\,\%\iffact{even_n}{; from $n = \fact{even_n}$ on, the GPUs together are
--   faster}\iffact{beyond_n}{; $n = \fact{beyond_n}$ fits no single GPU and takes \fact{beyond_time}}.
-- says.ru: \code{variant} на \fact{gpus} GPU \speed{} \code{base} на одном\judged{} (\fact{precision},
--   $n = \fact{n}$); эффективность \fact{efficiency}\,\%\iffact{even_n}{; начиная с $n = \fact{even_n}$
--   вместе они быстрее одного}\iffact{beyond_n}{; матрица с $n = \fact{beyond_n}$ не помещается в память одного GPU,
--   на всех вместе счёт занимает \fact{beyond_time}}.
-- rank: 18
-- chapter: matmul
--
-- A problem has a row, of the library that is fastest at the largest n that has an interval. `beyond`: one matrix alone
-- needs more memory than a GPU has.
-- facts
WITH one AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, task, contract ORDER BY place) AS first
    FROM library_cells WHERE side = 'GPU' AND coalesce(gpus, 1) = 1 AND own_contract = contract),
pair AS MATERIALIZED (
    SELECT c.*, o.variant AS base, o.median_s / c.median_s AS x, ratio_low(o.span, c.span) AS x_low,
           ratio_high(o.span, c.span) AS x_high, all_flags(c.flagged, o.flagged) AS either,
           coalesce(c.weak, o.weak) AS either_weak,
           row_number() OVER (PARTITION BY c.host, c.experiment, c.variant, c.task, c.gpus
                              ORDER BY c.median_s, c.cell) AS tuned
    FROM compared c JOIN one o USING (host, experiment, task, contract)
    WHERE c.gpus > 1 AND o.first = 1),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, problem, precision
                                 ORDER BY x_low IS NULL, n DESC, median_s, variant) AS turn
    FROM pair WHERE tuned = 1),
beyond AS (
    SELECT host, experiment, problem, precision, gpus, n, median_s, flagged,
           row_number() OVER (PARTITION BY host, experiment, problem, precision, gpus ORDER BY n DESC, median_s) AS turn
    FROM compared c
    WHERE gpus > 1 AND n * n * iif(precision = 'f64', 8.0, 4.0) >
                       (SELECT CAST(m.value AS REAL) FROM machine m
                        WHERE m.host = c.host AND m.experiment = c.experiment AND m.key = 'gpu.memory_bytes'))
SELECT f.host, f.experiment, f.variant, f.base, f.gpus, f.precision, f.n, ratio(f.x) AS ratio, ratio(f.x_low) AS low,
       ratio(f.x_high) AS high, verdict(f.x, f.x_low, f.x_high, f.either_weak) AS verdict, f.either AS flagged,
       ratio(1 / f.x) AS cost_ratio, ratio(1 / f.x_high) AS cost_low, ratio(1 / f.x_low) AS cost_high,
       f.either AS cost_flagged, f.x < 1 AS slower, sig(100 * f.x / f.gpus) AS efficiency,
       (SELECT min(p.n) FROM pair p
        WHERE p.host = f.host AND p.experiment = f.experiment AND p.variant = f.variant AND p.precision = f.precision
          AND p.tuned = 1 AND p.gpus = f.gpus AND p.n > (SELECT max(q.n) FROM pair q
                     WHERE q.host = f.host AND q.experiment = f.experiment AND q.variant = f.variant
                       AND q.precision = f.precision AND q.tuned = 1 AND q.gpus = f.gpus AND q.x < 1)) AS even_n,
       b.n AS beyond_n, marked(si(b.median_s, 's'), b.flagged) AS beyond_time
FROM found f
LEFT JOIN (SELECT * FROM beyond WHERE turn = 1) b USING (host, experiment, problem, precision, gpus)
WHERE f.turn = 1 ORDER BY f.host_ord, f.problem <> 'matmul', f.problem, f.precision DESC, f.study_ord;
