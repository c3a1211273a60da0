-- Sentences about a study, computed from its cells. A sentence without data is left out. SPDX-License-Identifier: MIT
CREATE TEMP TABLE fact(ord INTEGER, text TEXT);

-- Times that are no complete results of today's sources and the real clock.
INSERT INTO fact
SELECT 2, 'Times of an earlier source of their variant: ' || count(*) || '.'
FROM cell WHERE status = 'ok' AND NOT probe AND stale HAVING count(*) > 0;

INSERT INTO fact
SELECT 3, 'Times that lack rounds because their run was interrupted: ' || count(*) || '.'
FROM cell WHERE status = 'ok' AND NOT probe AND '+' || flags || '+' LIKE '%+partial+%' HAVING count(*) > 0;

INSERT INTO fact
SELECT 4, 'Times that a test''s fake timer gave, and that measure nothing: ' || count(*) || '.'
FROM cell WHERE status = 'ok' AND NOT probe AND '+' || flags || '+' LIKE '%+pretended+%' HAVING count(*) > 0;

INSERT INTO fact
SELECT 21, 'There is no BLAS for i32: percentages are of the fastest variant at each $n$.'
WHERE EXISTS (SELECT 1 FROM good WHERE precision = 'i32');

-- What one read-modify-write of global memory in each step costs: the source's step from naive to base.
INSERT INTO fact
SELECT 30, 'Keeping the sum in a register instead of adding to global memory at every step: '
       || sig(a.median_s / b.median_s, 3) || ' times as fast at $n = ' || a.n || '$ (' || latex(si(a.median_s, 's'))
       || ' against ' || latex(si(b.median_s, 's')) || '). That is what the source''s step from its naive to its base '
       || 'kernel measures: one global read-modify-write a step removed.'
FROM (SELECT n, max(tile) AS tile, min(median_s) AS median_s FROM good WHERE idea = 'cuda-global-rmw' GROUP BY n) a
JOIN (SELECT n, min(median_s) AS median_s FROM good WHERE idea = 'cuda-global' GROUP BY n) b USING (n)
ORDER BY a.n DESC LIMIT 1;

-- Tiles on the device heap, where the source's kernel as printed keeps them, against tiles in shared memory.
INSERT INTO fact
SELECT 31, 'Tiles on the device heap, where the source''s kernel as printed keeps them, instead of shared memory: '
       || sig(h.median_s / s.median_s, 3) || ' times the time at $n = ' || h.n || '$, tile ' || h.tile || ' ('
       || latex(si(h.median_s, 's')) || ' against ' || latex(si(s.median_s, 's')) || ').'
FROM good h JOIN good s ON s.idea = 'cuda-shared' AND s.n = h.n AND s.tile = h.tile AND s.precision = h.precision
WHERE h.idea = 'cuda-heap-tile' ORDER BY h.n DESC, h.tile DESC LIMIT 1;

-- How Jacobi's sweeps grow with n: in proportion, or hardly.
INSERT INTO fact
SELECT 45, 'Jacobi, $\omega = ' || sig(a.omega, 3) || '$: ' || a.iterations || ' sweeps at $n = ' || a.n || '$, '
       || b.iterations || ' at $n = ' || b.n || '$: ' || sig(1.0 * b.iterations / a.iterations, 3)
       || ' times as many for ' || sig(1.0 * b.n / a.n, 3)
       || ' times the unknowns.'
FROM (SELECT omega, precision, iterations, min(n) AS n FROM good
      WHERE problem = 'jacobi' AND sweeps IS NULL GROUP BY omega, precision) a
JOIN (SELECT omega, precision, iterations, max(n) AS n FROM good
      WHERE problem = 'jacobi' AND sweeps IS NULL GROUP BY omega, precision) b USING (omega, precision)
WHERE b.n > a.n
ORDER BY a.omega DESC;

-- Why the bank model stands alone, and the remedies if the driver refuses counters.
INSERT INTO fact
WITH here AS (SELECT * FROM counters WHERE host = :host AND experiment = :experiment),
cause AS (
    SELECT CASE WHEN EXISTS (SELECT 1 FROM here WHERE status = 'ok')
                  THEN 'the counts in the data are of other versions of the kernels, which make counters renews'
                ELSE coalesce((SELECT reason FROM here WHERE reason <> '' GROUP BY reason
                               ORDER BY count(*) DESC, reason LIMIT 1),
                              'make counters was not run on this host') END AS text)
SELECT 51, 'Conflicts and sectors are those of the bank model alone, and operations are not counted: '
       || latex(cause.text)
       || iif(instr(cause.text, 'NVreg'), '.',
              '. Where the driver refuses counters, run \texttt{make counters} as root, or let an administrator set '
              || 'the driver module''s option \texttt{NVreg\_RestrictProfilingToAdminUsers=0}.')
FROM cause
WHERE EXISTS (SELECT 1 FROM tables WHERE host = :host AND experiment = :experiment AND name = 'conflicts')
  AND NOT EXISTS (SELECT 1 FROM counted);

INSERT INTO fact
SELECT 52, 'The counts of ' || count(*) || iif(count(*) = 1, ' cell are', ' cells are')
       || ' left out: they are of other versions of the kernels. \texttt{make counters} renews them.'
FROM counters k JOIN cell c USING (host, experiment, cell)
WHERE k.status = 'ok' AND k.source_hash IS NOT c.source_hash AND EXISTS (SELECT 1 FROM counted) HAVING count(*) > 0;

-- Gauss-Seidel in order: its sweeps over n, and its sweeps for each factor of ten of the residual.
INSERT INTO fact
SELECT 70, 'Gauss--Seidel in the order of the rows takes ' || min(v.least)
       || iif(max(v.most) > min(v.least), ' to ' || max(v.most), '')
       || ' sweeps '
       || iif(min(v.n) = max(v.n), 'at $n = ' || min(v.n), 'at every $n$ from ' || min(v.n) || ' to $' || max(v.n))
       || '$'
       || coalesce((SELECT ' (published ' || published
                    || iif(published BETWEEN min(v.least) AND max(v.most), ', which was right', '')
                    FROM claims WHERE subject = 'seidel/seq' AND quantity = 'sweeps')
                   || (SELECT '; expected ' || min(iterations_low) || ' to ' || max(iterations_high) || ')'
                       FROM expected WHERE problem = 'seidel' AND omega = 1 AND precision = v.precision), '')
       || coalesce((SELECT ', Jacobi ' || CAST(min((least + most) / 2.0) AS INTEGER)
                           || iif(count(*) > 1, ' to ' || CAST(max((least + most) / 2.0) AS INTEGER), '')
                           || iif(max(measured), '', ' by the expected windows')
                    FROM jacobi_sweeps j WHERE j.precision = v.precision AND j.n BETWEEN min(v.n) AND max(v.n)), '')
       || '.'
FROM solved v WHERE v.problem = 'seidel' AND NOT v.chaotic GROUP BY v.precision;

INSERT INTO fact
SELECT 71, 'From the history of ' || latex(idea) || ' at $n = ' || n || '$: ' || sig(decade_sweeps, 3)
       || ' sweeps for each factor of ten of the residual'
       || coalesce(', where the spectral radius says ' || sig(-1 / log10(radius), 3), '') || '.'
FROM good JOIN decades USING (host, experiment, cell) WHERE idea = 'seq' AND cell IN (SELECT cell FROM solved)
ORDER BY n DESC LIMIT 1;

-- Chaotic relaxation: one sentence for each variant, at its largest n.
INSERT INTO fact
SELECT 72, latex(v.idea) || ' (chaotic relaxation): ' || min(v.least)
       || iif(max(v.most) > min(v.least), ' to ' || max(v.most), '')
       || ' sweeps over all runs at $n = ' || v.n || '$; the medians are ' || sig(min(v.middle / e.middle), 3)
       || iif(max(v.middle) > min(v.middle), ' to ' || sig(max(v.middle / e.middle), 3), '')
       || ' times the sweeps in order'
       || coalesce(' and ' || sig(100 * min(v.middle) / ((j.least + j.most) / 2.0), 2)
                   || iif(max(v.middle) > min(v.middle),
                          ' to ' || sig(100 * max(v.middle) / ((j.least + j.most) / 2.0), 2), '')
                   || '\,\% of Jacobi''s' || iif(j.measured, '', ', by its window'), '') || '.'
FROM solved v
JOIN (SELECT n, precision, median(middle) AS middle FROM solved WHERE problem = 'seidel' AND NOT chaotic
      GROUP BY n, precision) e USING (n, precision)
LEFT JOIN jacobi_sweeps j USING (n, precision)
WHERE v.chaotic AND v.n = (SELECT max(n) FROM solved o WHERE o.variant = v.variant)
GROUP BY v.variant ORDER BY v.ord;

-- What the order costs in a sweep: against Jacobi on as many threads, if this host has measured it at the same n.
INSERT INTO fact
SELECT 73, 'A sweep in order costs ' || latex(g.idea) || ' ' || latex(si(g.median_s / g.iterations, 's')) || ' at $n = '
       || g.n || '$, a sweep of '
       || latex(j.variant) || ' ' || latex(si(j.median_s / j.iterations, 's')) || ': '
       || sig(g.median_s / g.iterations / (j.median_s / j.iterations), 3)
       || ' times as much, for ' || g.iterations || ' sweeps instead of ' || j.iterations || '.'
FROM (SELECT *, min(median_s) AS fastest FROM good WHERE idea IN ('omp-exact', 'cuda-exact') AND sweeps IS NULL
      AND omega = 1 GROUP BY idea, n) g
JOIN (SELECT *, min(median_s / iterations) AS fastest FROM results
      WHERE host = :host AND problem = 'jacobi' AND status = 'ok' AND sweeps IS NULL AND omega = 1
        AND NOT vendor AND variant <> 'jacobi/seq' AND experiment <> 'smoke'
      GROUP BY side, n, precision) j
  ON j.side = g.side AND j.n = g.n AND j.precision = g.precision AND j.threads IS g.threads
WHERE g.n = (SELECT max(r.n) FROM results r JOIN good o ON o.n = r.n AND o.variant = g.variant
             WHERE r.host = :host AND r.problem = 'jacobi' AND r.status = 'ok' AND r.sweeps IS NULL AND r.omega = 1
               AND r.side = g.side AND NOT r.vendor
               AND r.variant <> 'jacobi/seq' AND r.experiment <> 'smoke');

-- A probe must not be slower than a verified kernel.
INSERT INTO fact
SELECT 50, 'The measured peak of ' || side || ', ' || precision
       || coalesce(', ' || threads || iif(threads = 1, ' thread', ' threads'), '') || iif(tensor, ', tensor cores', '')
       || ', ' || latex(si(peak * 1e9, iif(precision = 'i32', 'op/s', 'FLOP/s'))) || ', is below the verified '
       || latex(curve) || ' at $n = ' || n || '$ (' || sig(max(rate / peak) * 100, 4)
       || '\,\% of it): the probe is broken, and percentages of this peak are not to be trusted.'
FROM broken GROUP BY side, precision, threads, tensor;

-- A study without figures does not ask for speed. A study of probes alone has no products.
DELETE FROM fact WHERE ord BETWEEN 10 AND 49
  AND (NOT EXISTS (SELECT 1 FROM figures WHERE host = :host AND experiment = :experiment)
       OR NOT EXISTS (SELECT 1 FROM cell WHERE NOT probe AND problem NOT IN (SELECT name FROM problems WHERE probe)));

SELECT '\item ' || text FROM fact ORDER BY ord, rowid;
