-- From which size on is a library on the GPU faster than one on the CPU? The program makes these views whenever it has
-- loaded results, so that the answer, the figure and its caption tell the same size. SPDX-License-Identifier: MIT

-- The fastest library on the GPU beside the fastest on the CPU: times of one study and one machine, at each size.
--   operands  where they lie: pageable or pinned memory of the host, with the copies, or resident on the GPU
--   x         the time of the CPU over that of the GPU
--   gpu, cpu  the libraries; `title` is the one on the CPU with its threads
CREATE VIEW library_pairs AS
WITH timed AS MATERIALIZED (SELECT * FROM cells WHERE vendor AND counts),
best AS MATERIALIZED (SELECT host, experiment, cell, contract, title, threads FROM library_cells WHERE place = 1),
placed AS (
    SELECT *, 'resident' AS operands, median_s AS s, span AS whole FROM timed WHERE usual
    UNION ALL
    SELECT t.*, 'pageable', o.end_s, o.whole FROM timed t JOIN totals o USING (host, experiment, cell)
    WHERE t.usual AND t.total_s > 0
    UNION ALL
    SELECT t.*, 'pinned', o.end_s, o.whole FROM timed t JOIN totals o USING (host, experiment, cell)
    WHERE t.host_memory = 'pinned' AND t.conditions = 1 AND t.total_s > 0),
gpu AS (
    SELECT * FROM placed
    WHERE side = 'GPU' AND input_roundoff = 0 AND coalesce(gpus, 1) = 1),
pairs AS (
    SELECT g.host, g.experiment, g.machine, g.problem, g.precision, g.n, g.operands, g.idea AS gpu, c.idea AS cpu,
           l.title, l.threads, c.median_s / g.s AS x, ratio_low(c.span, g.whole) AS x_low,
           ratio_high(c.span, g.whole) AS x_high, all_flags(g.flagged, c.flagged) AS flagged,
           coalesce(g.weak, c.weak) AS weak,
           row_number() OVER (PARTITION BY g.host, g.experiment, g.problem, g.precision, g.n, g.operands
                              ORDER BY g.s, c.median_s) AS best
    FROM gpu g JOIN timed c ON c.host = g.host AND c.experiment = g.experiment AND c.machine = g.machine
      AND c.problem = g.problem AND c.precision = g.precision AND c.n = g.n AND c.contract = g.contract
    JOIN best l ON l.host = c.host AND l.experiment = c.experiment AND l.cell = c.cell
      AND l.contract = c.contract
    WHERE c.side = 'CPU' AND c.usual)
SELECT host, experiment, machine, problem, precision, n, operands, gpu, cpu, title, threads, x, x_low, x_high,
       verdict(x, x_low, x_high, weak) AS verdict, flagged, weak
FROM pairs WHERE best = 1;

-- Where x is 1. Sizes whose times may give no verdict do not count for the first two.
--   below   the largest size at which the CPU is faster for certain
--   since   the smallest size from which on the GPU always is
--   at      where the medians cross, if lines join the neighbours over the logarithms of both; NULL where it is not
--           between these two
--   size    what is known of it, in short; NULL: nothing
--   most_n  the largest size
--   varied  1: the library on the CPU is not on the same number of threads at all sizes; NULL: it is
CREATE VIEW crossings AS
WITH placed AS (
    SELECT *, max(iif(x <= 1, n, NULL)) OVER curve AS last_n,
           coalesce(max(iif(verdict = 'faster' OR weak IS NOT NULL, NULL, n)) OVER curve, 0) AS open_n,
           lead(n) OVER (curve ORDER BY n) AS next_n, lead(x) OVER (curve ORDER BY n) AS next_x
    FROM library_pairs WINDOW curve AS (PARTITION BY host, experiment, problem, precision, operands)),
met AS (
    SELECT host, experiment, problem, precision, operands, max(n) AS most_n,
           nullif(min(threads) < max(threads), 0) AS varied, max(iif(verdict = 'slower', n, NULL)) AS below,
           min(iif(n > open_n AND verdict = 'faster', n, NULL)) AS since,
           max(iif(n = last_n, CAST(round(exp(ln(n) - ln(x) * (ln(next_n) - ln(n)) / (ln(next_x) - ln(x)))) AS INTEGER),
                   NULL)) AS at
    FROM placed GROUP BY host, experiment, problem, precision, operands),
near AS (
    SELECT host, experiment, problem, precision, operands, most_n, varied, below, since,
           iif(at BETWEEN coalesce(below, at) AND coalesce(since, at), at, NULL) AS at
    FROM met)
SELECT *, CASE WHEN below > 0 AND since > 0 THEN '= ' || coalesce(at || ' ', '') || '[' || below || ', ' || since || ']'
               WHEN since > 0 THEN '≤ ' || since
               WHEN below > 0 THEN '> ' || below
               WHEN at > 0 THEN '≈ ' || at END AS size
FROM near;
