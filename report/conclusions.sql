-- The report's conclusions, from all studies that it shows. Parameter: :most, how many. SPDX-License-Identifier: MIT
CREATE TEMP TABLE every AS
SELECT r.*, coalesce(p.pivoting, 'none') AS contract, coalesce(p.chaotic, 0) AS chaotic,
       nullif(coalesce(p.library, k.library, ''), '') AS library,
       upper(substr(a.label, 1, 1)) || substr(a.label, 2) AS about, a.ord AS host_ord
FROM results r JOIN chosen USING (host, experiment) JOIN about a USING (host)
LEFT JOIN (SELECT host, experiment, name, max(pivoting) AS pivoting, max(chaotic) AS chaotic, max(library) AS library
           FROM variants GROUP BY host, experiment, name) p
  ON p.host = r.host AND p.experiment = r.experiment AND p.name = r.variant
LEFT JOIN known k ON k.name = r.variant
WHERE status = 'ok' AND problem NOT IN (SELECT name FROM problems WHERE probe) AND r.experiment <> 'smoke';

CREATE TEMP TABLE line(ord INTEGER, text TEXT);

-- What the order of loops gives on one thread.
INSERT INTO line
SELECT 30, latex(a.about)
       || ': on one thread, walking rows (seq-ikj) instead of columns (seq-ijk) is '
       || sig(a.median_s / b.median_s, 3) || ' times as fast at $n = ' || a.n || '$, ' || a.precision || '.'
FROM (SELECT *, min(median_s) AS least FROM every WHERE idea = 'seq-ijk' GROUP BY host, experiment, precision, n) a
JOIN (SELECT *, min(median_s) AS least FROM every WHERE idea = 'seq-ikj' GROUP BY host, experiment, precision, n) b
  ON b.host = a.host AND b.experiment = a.experiment AND b.precision = a.precision AND b.n = a.n AND b.opt IS a.opt
GROUP BY a.host HAVING a.n = max(a.n);

-- The step that the source oneapi left open: blocks packed as libraries pack them, at the largest n of the study.
INSERT INTO line
SELECT 36 + p.host_ord, latex(p.about)
       || ': packing blocks for the caches and keeping tiles in registers, which the source of study '
       || latex(p.experiment) || ' left for later, takes its best blocked version from ' || sig(l.gflops, 3) || ' to '
       || sig(p.gflops, 3)
       || '~GFLOP/s at $n = ' || p.n || '$, ' || p.precision || ', ' || p.threads
       || iif(p.threads = 1, ' thread', ' threads') || '; ' || latex(v.idea) || ' has '
       || sig(v.gflops, 3) || ', so that '
       || CASE WHEN p.gflops >= 0.98 * v.gflops THEN 'nothing of the gap to the library remains.'
               ELSE sig(100 * (p.gflops - l.gflops) / (v.gflops - l.gflops), 2) 
                    || '\,\% of the gap to the library is closed.' END
FROM (SELECT *, min(median_s) AS least FROM every WHERE idea = 'omp-packed' AND experiment = 'oneapi-cpu'
      GROUP BY host, precision, n) p
JOIN (SELECT *, min(median_s) AS least FROM every WHERE idea IN ('omp-tiled-local', 'omp-tiled')
      GROUP BY host, experiment, precision, n) l
  ON l.host = p.host AND l.experiment = p.experiment AND l.precision = p.precision AND l.n = p.n
JOIN (SELECT *, min(median_s) AS least FROM every WHERE vendor AND side = 'CPU'
      GROUP BY host, experiment, precision, n) v
  ON v.host = p.host AND v.experiment = p.experiment AND v.precision = p.precision AND v.n = p.n
WHERE v.gflops > l.gflops
GROUP BY p.host HAVING p.n = max(p.n);

INSERT INTO line
SELECT 40, latex(a.about) || ': tiles in shared memory make the GPU kernel '
       || sig(a.median_s / b.median_s, 3)
       || ' times as fast as global memory alone, copies left out, at $n = ' || a.n || '$, ' || a.precision
       || ' (study ' || latex(a.experiment) || ').'
FROM (SELECT *, min(median_s) AS least FROM every WHERE idea = 'cuda-global' GROUP BY host, experiment, precision, n) a
JOIN (SELECT *, min(median_s) AS least FROM every WHERE idea = 'cuda-shared' GROUP BY host, experiment, precision, n) b
  ON b.host = a.host AND b.experiment = a.experiment AND b.precision = a.precision AND b.n = a.n
GROUP BY a.host, a.experiment, a.precision HAVING a.n = max(a.n);

-- AA^T at the tiles of the source, at the largest n of each host: the time of one variant over the time of another.
CREATE TEMP TABLE point AS
SELECT host, experiment, precision, tile, idea, padding, n, median_s, coalesce(ci_lo_s, median_s) AS lo,
       coalesce(ci_hi_s, median_s) AS hi,
       about || ', ' || precision AS about, host_ord,
       model(variant, settings) AS model
FROM every e
WHERE problem = 'aat' AND side = 'GPU' AND tile IN (16, 32)
  AND n = (SELECT max(n) FROM every o WHERE o.host = e.host AND o.experiment = e.experiment AND o.variant = e.variant
             AND o.precision = e.precision AND o.tile IS e.tile);

CREATE TEMP TABLE versus AS
SELECT a.host, a.experiment, a.precision, a.tile, a.n, a.about, a.host_ord, a.idea, a.padding, b.idea AS base,
       b.padding AS base_padding,
       a.model, b.model AS base_model, a.median_s / b.median_s AS ratio, a.lo / b.hi AS low, a.hi / b.lo AS high,
       sig(a.median_s / b.median_s, 3) || ' [' || sig(a.lo / b.hi, 3) || ', ' || sig(a.hi / b.lo, 3) || ']' AS text,
       -- The rule of comparison from the chapter on the method.
       CASE WHEN a.lo / b.hi > 0.98 AND a.hi / b.lo < 1.02 THEN 'same'
            WHEN a.lo / b.hi > 1 AND a.median_s / b.median_s > 1.02 THEN 'slower'
            WHEN a.hi / b.lo < 1 AND b.median_s / a.median_s > 1.02 THEN 'faster' END AS word
FROM point a JOIN point b USING (host, experiment, precision, tile, n);

-- The costliest site of a kind, for one instruction of a warp.
CREATE TEMP TABLE costliest AS
SELECT p.host, p.experiment, p.precision, p.tile, p.idea, p.padding,
       max(iif(s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store',
               1.0 * (s.value ->> '$.wavefronts') / (s.value ->> '$.instructions'), NULL)) AS wavefronts,
       max(iif(s.value ->> '$.space' = 'global' AND s.value ->> '$.direction' = 'load',
               1.0 * (s.value ->> '$.sectors') / (s.value ->> '$.instructions'), NULL)) AS sectors
FROM point p, json_each(p.model, '$.sites') s
GROUP BY p.host, p.experiment, p.precision, p.tile, p.idea, p.padding;

INSERT INTO line
SELECT 50 + ab.host_ord, latex(ab.about) || ', $AA^T$ at $n = ' || ab.n || '$, tile ' || ab.tile || ': A '
       || CASE WHEN ab.low <= 1.25 AND ab.high >= 0.8
                 THEN 'and B are about equally slow (time ratio ' || ab.text || ') for two different reasons. A'
               WHEN ab.ratio > 1 THEN 'is slower than B (time ratio ' || ab.text || '), and for another reason. A'
               ELSE 'is faster than B (time ratio ' || ab.text || '), and slow for another reason. A' END
       || ' touches ' || sig(a.sectors, 3)
       || ' sectors in a load of its second tile from global memory, where B touches ' || sig(b.sectors, 3)
       || '; B takes ' || sig(b.wavefronts, 3) || ' wavefronts to store that tile, where A takes '
       || sig(a.wavefronts, 3)
       || '. Against B*, which has neither, A takes ' || ap.text || ' and B ' || bp.text || ' times the time.'
FROM versus ab
JOIN versus ap USING (host, experiment, precision, tile, n) JOIN versus bp USING (host, experiment, precision, tile, n)
JOIN costliest a ON a.host = ab.host AND a.experiment = ab.experiment AND a.precision = ab.precision
  AND a.tile = ab.tile AND a.idea = 'cuda-a'
JOIN costliest b ON b.host = ab.host AND b.experiment = ab.experiment AND b.precision = ab.precision
  AND b.tile = ab.tile AND b.idea = 'cuda-b'
WHERE ab.tile = 32 AND ab.idea = 'cuda-a' AND ab.base = 'cuda-b' AND ap.idea = 'cuda-a' AND ap.base = 'cuda-b-pad'
  AND ap.base_padding = 1
  AND bp.idea = 'cuda-b' AND bp.base = 'cuda-b-pad' AND bp.base_padding = 1;

-- One column of padding separates the lanes of one row of the tile. A warp that covers two rows needs more.
CREATE TEMP TABLE padded AS
SELECT *, (SELECT max((s.value ->> '$.wavefronts') / (s.value ->> '$.instructions')) FROM json_each(model, '$.sites') s
           WHERE s.value ->> '$.space' = 'shared' AND s.value ->> '$.direction' = 'store') AS wavefronts
FROM (SELECT precision, tile, padding, max(model(variant, settings)) AS model
      FROM results JOIN chosen USING (host, experiment)
      WHERE variant = 'aat/cuda-b-pad' AND experiment <> 'smoke' GROUP BY precision, tile, padding);

INSERT INTO line
SELECT 60, 'One column of padding ' || CASE one.wavefronts WHEN 1 THEN 'is enough' ELSE 'is not enough' END
       || ' at tile ' || one.tile || ', ' || one.precision
       || ': a store of the padded tile takes ' || one.wavefronts
       || iif(one.wavefronts = 1, ' wavefront', ' wavefronts')
       || coalesce(', with two columns ' || two.wavefronts, '')
       || coalesce('; at tile ' || wide.tile || ' one column is enough (' || wide.wavefronts || ')', '')
       || coalesce('. ' || (SELECT group_concat(latex(v.about) || ', $n = ' || v.n
                                                || '$: two columns instead of one take ' || v.text || ' times the time',
                                                '; ')
                            FROM versus v WHERE v.precision = one.precision AND v.tile = one.tile
                              AND v.idea = 'cuda-b-pad' AND v.padding = 2
                              AND v.base = 'cuda-b-pad' AND v.base_padding = 1), '') || '.'
FROM padded one
LEFT JOIN padded two ON two.precision = one.precision AND two.tile = one.tile AND two.padding = 2
LEFT JOIN padded wide ON wide.precision = one.precision AND wide.tile = 32 AND wide.padding = 1 AND wide.wavefronts = 1
WHERE one.tile = 16 AND one.padding = 1;

INSERT INTO line
SELECT 61, latex(about) || ': the swizzle instead of a column of padding saves '
       || ((base_model ->> '$.shared_bytes') - (model ->> '$.shared_bytes'))
       || '~bytes of shared memory a block and takes '
       || text || ' times the time of B* at $n = ' || n || '$, tile ' || tile
       || CASE word WHEN 'slower' THEN ': it costs time.' WHEN 'faster' THEN ': it saves time too.'
                    WHEN 'same' THEN ': it costs no time.'
                    ELSE ': undecided.' END
FROM versus WHERE tile = 32 AND idea = 'cuda-swizzle' AND base = 'cuda-b-pad' AND base_padding = 1 ORDER BY host_ord;

-- Half of the operations: by an own kernel, then by the libraries.
INSERT INTO line
SELECT 62, latex(about) || ': computing one triangle of $AA^T$ and mirroring it (cuda-sym) takes ' || text
       || ' times the time of B* at $n = ' || n
       || '$, tile ' || tile || ', for ' || sig(50 * (n + 1.0) / n, 3) || '\,\% of the operations.'
FROM versus WHERE tile = 32 AND idea = 'cuda-sym' AND base = 'cuda-b-pad' AND base_padding = 1 ORDER BY host_ord;

INSERT INTO line
SELECT 63, latex(s.about) || ', ' || s.precision || ': ' || latex(s.idea)
       || ' takes '
       || sig(s.median_s / g.median_s, 3) || ' ['
       || sig(coalesce(s.ci_lo_s, s.median_s) / coalesce(g.ci_hi_s, g.median_s), 3) || ', '
       || sig(coalesce(s.ci_hi_s, s.median_s) / coalesce(g.ci_lo_s, g.median_s), 3) || '] times the time of '
       || latex(g.idea) || ' at $n = ' || s.n || '$.'
FROM every s JOIN every g ON g.host = s.host AND g.experiment = s.experiment AND g.precision = s.precision AND g.n = s.n
    AND g.threads IS s.threads AND g.problem = s.problem AND g.side = s.side
    AND g.vendor AND NOT g.halved AND g.library = s.library
WHERE s.problem = 'aat' AND s.vendor AND s.halved
  AND s.n = (SELECT max(n) FROM every o WHERE o.host = s.host AND o.experiment = s.experiment AND o.variant = s.variant
               AND o.precision = s.precision AND o.threads IS s.threads)
GROUP BY s.host, s.experiment, s.precision, s.variant HAVING s.threads IS max(s.threads) ORDER BY s.host_ord, s.side;

-- Iterative solvers: the sweeps of the method, at the largest n of each study that solves by Jacobi. Hardware does not
-- change these counts.
CREATE TEMP TABLE solve AS
SELECT host, experiment, host_ord, about AS about, problem, precision, idea,
       tile, omega, n, iterations, median_s,
       coalesce(ci_lo_s, median_s) AS lo, coalesce(ci_hi_s, median_s) AS hi, coalesce(rounds, 1) > 1 AS spread
FROM every WHERE solver AND sweeps IS NULL AND NOT chaotic;

INSERT INTO line
WITH plain AS (
    SELECT *, max(n) AS most FROM solve WHERE problem = 'jacobi' AND omega = 1 GROUP BY host, experiment, precision),
weighted AS (
    SELECT host, experiment, precision, omega, max(n) AS n, min(iterations) AS low, max(iterations) AS high,
           count(DISTINCT n) AS sizes
    FROM solve WHERE problem = 'jacobi' AND omega <> 1 GROUP BY host, experiment, precision, omega)
SELECT 70 + p.host_ord, latex(p.about) || ', study ' || latex(p.experiment) || ': Jacobi''s method takes '
       || p.iterations || ' sweeps at $n = ' || p.most || '$'
       || coalesce((SELECT ', where it takes ' || s.iterations || ' at $n = ' || s.n || '$' FROM solve s
                    WHERE s.host = p.host AND s.experiment = p.experiment AND s.precision = p.precision
                      AND s.problem = 'jacobi' AND s.omega = 1
                      AND s.n < p.most ORDER BY s.n LIMIT 1), '')
       || '; weighted with $\omega = ' || sig(w.omega, 3) || '$ it takes ' || w.low
       || iif(w.high > w.low, ' to ' || w.high, '') || iif(w.sizes > 1, ' at all sizes', '')
       || coalesce((SELECT ', Gauss--Seidel''s ' || min(s.iterations)
                    || iif(max(s.iterations) > min(s.iterations), ' to ' || max(s.iterations), '')
                    FROM solve s WHERE s.host = p.host AND s.experiment = p.experiment AND s.precision = p.precision
                      AND s.problem = 'seidel' AND s.omega = 1
                    HAVING count(*) > 0), '')
       || '. Largest over largest, the weight saves a factor of ' || sig(1.0 * p.iterations / w.high, 3)
       || ' in sweeps.'
FROM plain p JOIN weighted w USING (host, experiment, precision)
WHERE p.iterations > w.high;

-- What the source called the gain of tiling a solver: the place of the residual and the tile, apart.
INSERT INTO line
WITH gap AS (
    SELECT h.host_ord, h.about, h.n, h.median_s / g.median_s AS place, h.median_s / t.median_s AS whole,
           g.median_s / t.median_s AS tile,
           w.idea AS beyond, g.median_s / w.median_s AS trip
    FROM solve h
    JOIN solve g ON g.host = h.host AND g.experiment = h.experiment AND g.precision = h.precision AND g.omega = h.omega
      AND g.n = h.n
      AND g.idea = 'cuda-global' AND g.problem = 'jacobi'
    JOIN solve t ON t.host = h.host AND t.experiment = h.experiment AND t.precision = h.precision AND t.omega = h.omega
      AND t.n = h.n
      AND t.idea = 'cuda-tiled' AND t.tile = 16
    LEFT JOIN solve w ON w.host = h.host AND w.experiment = h.experiment AND w.precision = h.precision
      AND w.omega = h.omega AND w.n = h.n
      AND w.idea = 'cuda-warp'
    WHERE h.idea = 'cuda-hostcheck' AND h.omega = 1
      AND h.n = (SELECT max(n) FROM solve o WHERE o.host = h.host AND o.experiment = h.experiment AND o.idea = h.idea
                 AND o.omega = 1))
SELECT 75 + host_ord, latex(about) || ', Jacobi at $n = ' || n || '$: the solver with the residual on the host takes '
       || sig(whole, 3)
       || ' times the time of the tiled one, which has it on the device; ' || sig(place, 3)
       || ' of it is the residual''s place, '
       || sig(tile, 3) || ' the tile.'
       || coalesce(' One coalesced pass a sweep without a word from the host (' || latex(beyond) || ') is '
                   || sig(trip, 3) || ' times as fast again as the plain kernel.', '')
FROM gap;

-- Gauss-Seidel on each host: the sweeps in the order of the rows, the rate of the residuals, and the sweeps without an
-- order.
CREATE TEMP TABLE seidel AS
SELECT e.host, e.host_ord, e.experiment, e.cell, e.idea, e.side, e.precision, e.n, e.tile, e.radius, e.chaotic,
       e.about AS about, min(s.iterations) AS least,
       median(s.iterations) AS middle, max(s.iterations) AS most
FROM every e JOIN samples s USING (host, experiment, cell)
WHERE e.problem = 'seidel' AND e.sweeps IS NULL AND e.omega = 1 AND s.iterations > 0
GROUP BY e.host, e.experiment, e.cell;

CREATE TEMP TABLE decade AS
SELECT v.host, max(v.n) AS n, v.radius, d.decade_sweeps AS sweeps
FROM seidel v JOIN decades d USING (host, experiment, cell) WHERE v.idea = 'seq' GROUP BY v.host;

INSERT INTO line
SELECT 80 + v.host_ord / 1000.0, latex(v.about) || ', ' || v.precision
       || ': Gauss--Seidel in the order of the rows takes ' || min(v.least)
       || iif(max(v.most) > min(v.least), ' to ' || max(v.most), '') || ' sweeps from $n = ' || min(v.n) || '$ to $'
       || max(v.n) || '$'
       || coalesce(', where theory expects ' || min(w.low) || ' to ' || max(w.high)
                   || iif(min(v.least) >= min(w.low) AND max(v.most) <= max(w.high),
                          ': the count that the source took for a defect is right', ''), '')
       || coalesce('. A factor of ten of the residual takes ' || sig(max(d.sweeps), 3) || ' sweeps at $n = ' || max(d.n)
                   || '$; by the spectral radius, ' || sig(max(-1 / log10(d.radius)), 3), '') || '.'
FROM seidel v
LEFT JOIN (SELECT precision, min(iterations_low) AS low, max(iterations_high) AS high FROM expected
           WHERE problem = 'seidel' AND omega = 1 GROUP BY precision) w USING (precision)
LEFT JOIN decade d ON d.host = v.host
WHERE NOT v.chaotic GROUP BY v.host, v.precision;

INSERT INTO line
SELECT 81 + v.host_ord / 1000.0, latex(v.about) || ': without order (chaotic relaxation) ' || latex(v.idea) || ' takes '
       || min(v.least)
       || iif(max(v.most) > min(v.least), ' to ' || max(v.most), '') || ' sweeps at $n = ' || v.n || '$'
       || iif(max(v.tile) > min(v.tile), ', by blocks of ' || min(v.tile) || ' to ' || max(v.tile) || ' threads', '')
       || ', where the given order takes '
       || e.least || iif(e.most > e.least, ' to ' || e.most, '')
       || coalesce(' and Jacobi ' || CAST(j.low AS INTEGER)
                   || iif(j.high > j.low, ' to ' || CAST(j.high AS INTEGER), ''), '') || '.'
FROM seidel v
JOIN (SELECT host, precision, n, min(least) AS least, max(most) AS most FROM seidel WHERE NOT chaotic
      GROUP BY host, precision, n) e
  USING (host, precision, n)
LEFT JOIN (SELECT n, precision, iterations_low AS low, iterations_high AS high FROM expected
           WHERE problem = 'jacobi' AND omega = 1) j
  USING (n, precision)
WHERE v.chaotic AND v.n = (SELECT max(o.n) FROM seidel o WHERE o.host = v.host AND o.idea = v.idea
                           AND o.precision = v.precision)
GROUP BY v.host, v.precision, v.idea;

-- The source's own GPU times, Seidel's over Jacobi's, against the sweeps that it took for granted.
INSERT INTO line
SELECT 82, 'The source''s GPU times of Gauss--Seidel are ' || sig(100 * min(s.cuda_ms / j.cuda_ms), 2) || ' to '
       || sig(100 * max(s.cuda_ms / j.cuda_ms), 2)
       || '\,\% of those of its Jacobi. If a sweep of either costs the same, that is '
       || sig(min(s.cuda_ms / j.cuda_ms * x.iterations_low), 2)
       || ' to ' || sig(max(s.cuda_ms / j.cuda_ms * x.iterations_high), 2)
       || ' sweeps: what it timed there is nearer to Jacobi than to Gauss--Seidel.'
       || ' With the count in order a sweep would have taken it '
       || latex(si(min(s.cuda_ms) / 1000 / (SELECT max(iterations_high) FROM expected WHERE problem = 'seidel'), 's'))
       || ' to '
       || latex(si(max(s.cuda_ms) / 1000 / (SELECT max(iterations_high) FROM expected WHERE problem = 'seidel'), 's'))
       || '.'
FROM granular_seidel s JOIN granular_jacobi j ON j.n = s.n AND j.cuda_ms IS NOT NULL
JOIN expected x ON x.n = s.n AND x.problem = 'jacobi' AND x.omega = 1
WHERE EXISTS (SELECT 1 FROM chosen WHERE experiment = 'granular-seidel') HAVING count(*) > 0;

-- At most :most, the last ones of a kind left out first: each kind of conclusion keeps its first ones.
SELECT '\item ' || text
FROM (SELECT *, rowid AS row, row_number() OVER (PARTITION BY CAST(ord / 10 AS INTEGER) ORDER BY ord, rowid) AS place
      FROM line ORDER BY place, ord, rowid LIMIT :most)
ORDER BY ord, row;
