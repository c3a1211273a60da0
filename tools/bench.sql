-- The packed products beside OpenBLAS, beside each other, and beside the peak: one line a quantity, n, precision and
-- number of threads. A ratio is the other's time by the packed product's: median and range over the rounds, then the
-- median of the rounds without a flag, and how many those are. SPDX-License-Identifier: MIT
WITH pairs(own, other) AS (VALUES
    ('matmul/omp-packed', 'matmul/blas-openblas'), ('aat/omp-packed', 'aat/blas-openblas-syrk'),
    ('aat/cuda-sym', 'aat/cuda-b-pad')),
rounds AS (
    SELECT r.problem, r.variant, r.precision, r.n, r.threads, s.round, median(s.kernel_s) AS time_s,
           max(coalesce(s.flags, '') <> '') AS flagged
    FROM samples s JOIN results r ON r.host = s.host AND r.experiment = s.experiment AND r.cell = s.cell
    WHERE r.status = 'ok' AND NOT r.probe AND s.kernel_s IS NOT NULL
    GROUP BY r.cell, s.round),
ratios AS (
    SELECT own.variant || ' against ' || substr(other.variant, instr(other.variant, '/') + 1) AS quantity, own.precision, own.n,
           own.threads, other.time_s / own.time_s AS ratio, own.flagged OR other.flagged AS flagged
    FROM pairs p JOIN rounds own ON own.variant = p.own JOIN rounds other ON other.variant = p.other
        AND other.precision = own.precision AND other.n = own.n AND other.threads IS own.threads AND other.round = own.round),
cells AS (SELECT * FROM results WHERE status = 'ok'),
lines AS (
    SELECT 1 AS part, quantity, precision, n, threads,
           printf('%.3f [%.2f, %.2f] unflagged %s (%d of %d)', median(ratio), min(ratio), max(ratio),
                  iif(sum(NOT flagged), printf('%.3f', median(iif(flagged, NULL, ratio))), 'none'), sum(NOT flagged), count(*)) AS text
    FROM ratios GROUP BY quantity, precision, n, threads
    UNION ALL
    SELECT 2, 'aat/omp-packed against matmul/omp-packed', a.precision, a.n, a.threads,
           printf('%.3f [%.2f, %.2f] by medians', m.median_s / a.median_s, coalesce(m.ci_lo_s, m.median_s) / coalesce(a.ci_hi_s, a.median_s),
                  coalesce(m.ci_hi_s, m.median_s) / coalesce(a.ci_lo_s, a.median_s))
    FROM cells a JOIN cells m ON m.variant = 'matmul/omp-packed' AND m.precision = a.precision AND m.n = a.n AND m.threads = a.threads
    WHERE a.variant = 'aat/omp-packed'
    UNION ALL
    SELECT 3, 'matmul/omp-packed against the FMA peak', m.precision, m.n, m.threads,
           printf('%.3f by medians, %.3f by least times', m.gflops / max(p.gflops), m.flops / m.min_s / max(p.flops / p.min_s))
    FROM cells m JOIN cells p ON p.variant = 'fma/omp' AND p.precision = m.precision AND p.threads = m.threads
    WHERE m.variant = 'matmul/omp-packed' AND m.n >= 1024 GROUP BY m.cell)
SELECT printf('%-62s %s', quantity || ', ' || precision || ', n = ' || n
              || coalesce(', ' || threads || iif(threads = 1, ' thread', ' threads'), ''), text)
FROM lines ORDER BY part, quantity DESC, threads, precision, n;
