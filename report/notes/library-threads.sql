-- Libraries that are slower on more threads. SPDX-License-Identifier: MIT
-- says: \code{variant} is slower on more threads at \fact{points} of \fact{all} \plural{all}{point}{points}: at $n =
--   \fact{n}$ (\fact{precision}) it takes on \fact{threads}~threads \ratio{} times its time on
--   \fact{fewer}.\iffact{first}{ Own variants are held against a library's fastest number of threads.}
-- says.ru: \code{variant} на большем числе потоков медленнее (точек: \fact{points} из \fact{all}): при $n = \fact{n}$
--   (\fact{precision}) время на \fact{threads}~\forms{threads}{потоке}{потоках}{потоках} составляет \ratio{} времени на
--   \fact{fewer}~\forms{fewer}{потоке}{потоках}{потоках}.\iffact{first}{ Собственные варианты сравниваются с
--   библиотекой на самом быстром для неё числе потоков.}
-- facts
-- A point is what a study measures on several threads. A flagged time says nothing of threads.
WITH timed AS (
    SELECT l.*, a.ord AS host_ord, s.study_ord
    FROM library_cells l JOIN chosen c USING (host, experiment) JOIN about a USING (host)
    JOIN study s USING (experiment)
    WHERE l.own_contract = l.contract AND l.threads IS NOT NULL AND NOT doubt(l.flagged) AND l.counts),
pair AS (
    SELECT t.host, t.host_ord, t.experiment, t.study_ord, t.variant, t.task, t.precision, t.n, t.threads,
           f.threads AS fewer, t.median_s / f.median_s AS x, ratio_low(t.span, f.span) AS x_low,
           ratio_high(t.span, f.span) AS x_high, verdict(f.span, t.span, coalesce(f.weak, t.weak)) AS verdict
    FROM timed t JOIN timed f USING (host, experiment, task, side, variant) WHERE f.threads < t.threads),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, variant ORDER BY verdict <> 'slower', x DESC) AS turn
    FROM pair),
counted AS (
    SELECT host, experiment, variant, count(DISTINCT task) AS "all",
           count(DISTINCT iif(verdict = 'slower', task, NULL)) AS points
    FROM pair GROUP BY host, experiment, variant)
SELECT host, experiment, variant, precision, n, threads, fewer, points, "all", ratio(x) AS ratio, ratio(x_low) AS low,
       ratio(x_high) AS high, 0 AS flagged,
       iif(row_number() OVER (ORDER BY host_ord, study_ord, variant) = 1, 1, NULL) AS "first"
FROM found JOIN counted USING (host, experiment, variant) WHERE turn = 1 AND verdict = 'slower'
ORDER BY host_ord, study_ord, variant;
