-- The best own variants beside libraries, beside each other, and beside the ceilings: one line for each quantity, n,
-- precision and number of threads. A ratio is the other's time over the own variant's time, each at its fastest tile.
-- `pairs` were measured side by side: median and range over the rounds, then the median of the rounds without a flag,
-- and how many rounds these are. `apart` were not: the ratio of the medians with its interval. SPDX-License-Identifier:
-- MIT
WITH pairs(own, other) AS (VALUES
    ('matmul/omp-packed', 'matmul/blas-openblas'), ('matmul/omp-packed', 'matmul/blas-blis'),
    ('matmul/omp-packed', 'matmul/blas-mkl'), ('aat/omp-packed', 'aat/blas-openblas-syrk'),
    ('aat/cuda-sym', 'aat/cuda-b-pad'), ('lu/omp-recursive-pivot', 'lu/blas-openblas-getrf'),
    ('lu/omp-recursive-pivot', 'lu/blas-mkl-getrf'),
    ('lu/cuda-pivot', 'lu/cusolver'),
    ('lu/cuda-blocked', 'lu/cusolver-nopivot'), ('lu/cuda-dataflow', 'lu/cusolver-nopivot'),
    ('jacobi/cuda-warp', 'jacobi/cublas'),
    ('jacobi/cuda-persistent', 'jacobi/cublas'),
    ('seidel/cuda-exact', 'seidel/cublas')),
apart(own, other) AS (VALUES
    ('aat/omp-packed', 'matmul/omp-packed'), ('seidel/omp-exact', 'jacobi/omp'),
    ('seidel/cuda-exact', 'jacobi/cuda-warp')),
beside(own, of_read, what, least_n) AS (VALUES
    ('matmul/omp-packed', 0, 'the FMA peak', 1024), ('matmul/blas-openblas', 0, 'the FMA peak', 1024),
    ('jacobi/omp', 1, 'the read bandwidth', 1)),
measured AS (
    SELECT *, coalesce(sweeps, 0) AS counted, count(*) OVER point AS tiles,
           row_number() OVER (point ORDER BY median_s) AS place
    FROM results WHERE status = 'ok'
    WINDOW point AS (PARTITION BY host, experiment, variant, precision, n, threads, sweeps)),
cells AS MATERIALIZED (SELECT *, iif(tiles > 1, ', tile ' || tile, '') AS chosen FROM measured WHERE place = 1),
rounds AS (
    SELECT r.host, r.experiment, r.variant, r.precision, r.n, r.threads, r.chosen, s.round,
           median(s.kernel_s) AS time_s,
           max(coalesce(s.flags, '') <> '') AS flagged
    FROM samples s JOIN cells r USING (host, experiment, cell)
    WHERE NOT r.probe AND s.kernel_s IS NOT NULL
    GROUP BY r.host, r.experiment, r.cell, s.round),
ratios AS (
    SELECT own.variant || ' against ' || substr(other.variant, instr(other.variant, '/') + 1) AS quantity,
           own.precision, own.n,
           own.threads, own.chosen, other.time_s / own.time_s AS ratio, own.flagged OR other.flagged AS flagged
    FROM pairs p JOIN rounds own ON own.variant = p.own JOIN rounds other ON other.variant = p.other
        AND other.host = own.host AND other.experiment = own.experiment AND other.precision = own.precision
        AND other.n = own.n
        AND other.threads IS own.threads AND other.round = own.round),
lines AS (
    SELECT 1 AS part, quantity, precision, n, threads, chosen,
           printf('%.3f [%.2f, %.2f] unflagged %s (%d of %d)', median(ratio), min(ratio), max(ratio),
                  iif(sum(NOT flagged), printf('%.3f', median(iif(flagged, NULL, ratio))), 'none'), sum(NOT flagged),
                  count(*)) AS text
    FROM ratios GROUP BY quantity, precision, n, threads
    UNION ALL
    SELECT 2, p.own || ' against ' || p.other, a.precision, a.n, a.threads, a.chosen,
           printf('%.3f [%.2f, %.2f] by medians', b.median_s / a.median_s,
                  coalesce(b.ci_lo_s, b.median_s) / coalesce(a.ci_hi_s, a.median_s),
                  coalesce(b.ci_hi_s, b.median_s) / coalesce(a.ci_lo_s, a.median_s))
    FROM apart p JOIN cells a ON a.variant = p.own JOIN cells b ON b.variant = p.other AND b.host = a.host
      AND b.experiment = a.experiment
        AND b.precision = a.precision AND b.n = a.n AND b.threads IS a.threads AND b.counted = a.counted
    UNION ALL
    SELECT 3, b.own || ' against ' || b.what, m.precision, m.n, m.threads, '',
           printf('%.3f by medians, %.3f by least times', iif(b.of_read, m.gbs, k.executed) / c.rate,
                  iif(b.of_read, m.gbs, k.executed) * m.median_s / m.min_s / c.rate)
    FROM beside b JOIN cells m ON m.variant = b.own AND m.n >= b.least_n JOIN peaks k USING (host, experiment, cell)
    JOIN ceilings c ON c.rowid = iif(b.of_read, k.of_read, k.of_peak))
SELECT printf('%-78s %s', quantity || ', ' || precision || ', n = ' || n || chosen
              || coalesce(', ' || threads || iif(threads = 1, ' thread', ' threads'), ''), text)
FROM lines ORDER BY part, quantity DESC, threads, precision, n;
