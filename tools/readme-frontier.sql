-- The README's second table, as Markdown rows. For each problem the fastest own variant stands beside the fastest
-- library that chooses its pivots in the same way, on the same device and on its fastest number of threads. The size is
-- the largest one at which both were measured, at the same precision. Variants of a library that own variants are not
-- compared with are left out. Products from parts of operands, which compute in another way than the library, stand
-- behind the others, each with its largest error over the library's.
-- SPDX-License-Identifier: MIT
WITH asked AS (
    SELECT c.*, v.summary, max(c.threads) OVER (PARTITION BY c.experiment, c.problem) AS most_threads
    FROM cells c JOIN variants v ON v.host = c.host AND v.experiment = c.experiment AND v.name = c.variant
    WHERE c.experiment IN ('frontier-cpu', 'ladder', 'lu-gpu', 'solver-speed') AND c.usual),
fastest AS (
    SELECT *, row_number() OVER (PARTITION BY problem, precision, contract, side, emulated, machine, n
                                 ORDER BY median_s, cell)
                AS place
    FROM asked WHERE (threads IS NULL OR threads = most_threads) AND NOT vendor AND library IS NULL
      AND input_roundoff = 0),
pair AS (
    SELECT o.*, v.title AS beside, v.median_s AS library_s, v.span AS library_span, v.flagged AS library_flagged,
           o.error / v.entry_error AS error_share,
           row_number() OVER (PARTITION BY o.problem, o.precision, o.contract, o.side, o.emulated
                              ORDER BY o.n DESC) AS size
    FROM fastest o JOIN library_cells v USING (host, experiment, task, contract, side)
    WHERE o.place = 1 AND v.place = 1 AND v.own_contract = v.contract)
SELECT printf('| `%s` | %s%s | %s | %s | %d | %s | `%s` | %s |', variant, summary,
              iif(emulated, ' (split' || coalesce(', ' || sig(error_share, 2) || ' × the error', '') || ')', ''),
              precision,
              iif(side = 'GPU', device, threads || ' threads'
                  || iif(threads >= cores, ' (' || sig(cores, 3) || ' cores)', '')), n,
              iif(iterations IS NULL, marked(sig(gflops, 3) || ' GFLOP/s', flagged),
                  marked(si(median_s / iterations, 's'), flagged) || ' a sweep'),
              beside, marked(ratio(library_span, span), flagged, library_flagged))
FROM pair LEFT JOIN effective_cores USING (host, experiment) WHERE size = 1
ORDER BY emulated, side, (SELECT rowid FROM problems p WHERE p.name = problem), precision, contract;
