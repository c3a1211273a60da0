-- The source's claims beside what was measured here, each with a verdict. SPDX-License-Identifier: MIT
-- caption: The source's claims beside what was measured here
--
-- The scope of a claim names tiles ("tile 16", "block 8 16 32"), the largest N ("N = 2048", "N to 4032") and threads.
CREATE TEMP TABLE claim AS
WITH scoped AS (
    SELECT *, coalesce(scope, '') AS about,
           CASE WHEN scope LIKE '%tile %' THEN substr(scope, instr(scope, 'tile ') + 5)
                WHEN scope LIKE '%block %' THEN substr(scope, instr(scope, 'block ') + 6) END AS tile_text,
           CASE WHEN instr(scope, 'N to ') THEN substr(scope, instr(scope, 'N to ') + 5)
                WHEN instr(scope, 'N = ') THEN substr(scope, instr(scope, 'N = ') + 4) END AS n_text,
           iif(instr(scope, ' threads') > 1, CAST(substr(scope, instr(scope, ' threads') - 1, 1) AS INTEGER), NULL)
             AS claim_threads,
           CAST(substr(published, instr(published, ';') + 1) AS REAL) AS low
    FROM claims)
SELECT s.*, ' ' || trim(replace(CASE WHEN instr(tile_text, ',') THEN substr(tile_text, 1, instr(tile_text, ',') - 1)
                                     ELSE tile_text END, ';', ' ')) || ' ' AS tiles,
       CAST(iif(instr(n_text, '..'), substr(n_text, instr(n_text, '..') + 2), n_text) AS INTEGER) AS n_most,
       iif(instr(n_text, '..') OR instr(scope, 'N to '), NULL, CAST(n_text AS INTEGER)) AS n_only,
       iif(instr(published, '..'), CAST(substr(published, instr(published, '..') + 2) AS REAL), low) AS high
FROM scoped s
WHERE s.source = (SELECT source FROM experiments WHERE host = :host AND name = :experiment)
  AND (s.subject IN (SELECT variant FROM cell)
       -- A claim on two solvers needs both.
       AND (s.reference IS NULL OR s.reference NOT GLOB 'jacobi/*' AND s.reference NOT GLOB 'seidel/*'
            OR s.reference IN (SELECT variant FROM cell))
       OR s.quantity = 'count ratio' AND EXISTS (SELECT 1 FROM bank)
       OR s.subject = 'matmul/blas-mkl' AND EXISTS (SELECT 1 FROM cell WHERE vendor AND side = 'CPU')
          AND EXISTS (SELECT 1 FROM cell WHERE NOT vendor AND NOT probe AND side = 'CPU'));

-- What was measured for both sides of a claim (`role` 1: subject, 2: reference). The fastest BLAS stands for MKL.
CREATE TEMP TABLE side AS
SELECT c.id, r.role, g.n, g.tile, g.threads,
       -- The GPU times of granular include the copies.
       iif(c.source = 'granular', coalesce(g.total_s, g.median_s), g.median_s) AS median_s, g.gflops,
       100 * g.rate / p.gflops AS percent
FROM claim c
JOIN (SELECT 1 AS role UNION ALL SELECT 2) r
JOIN good g ON g.variant = iif(r.role = 1, c.subject, c.reference)
            OR (iif(r.role = 1, c.subject, c.reference) = 'matmul/blas-mkl' AND g.vendor AND g.side = 'CPU')
LEFT JOIN peak p ON p.cell = g.cell
WHERE (c.n_most IS NULL OR g.n <= c.n_most)
  AND coalesce(g.omega, 1) = 1 AND g.sweeps IS NULL
  -- Which tile is best depends on the threads. The claim's threads are taken if they were measured.
  AND (c.quantity <> 'best tile' OR g.threads IS c.claim_threads
       OR NOT EXISTS (SELECT 1 FROM good e WHERE e.variant = c.subject AND e.threads = c.claim_threads))
  AND (c.tiles IS NULL OR g.tile IS NULL OR instr(c.tiles, ' ' || g.tile || ' '));

CREATE TEMP TABLE least AS
SELECT id, role, n, min(median_s) AS median_s, max(percent) AS percent, max(gflops) AS gflops, tile FROM side
GROUP BY id, role, n;

-- The ratio of both times at the largest n that both sides have.
CREATE TEMP TABLE pair AS
SELECT a.id, max(a.n) AS n, a.median_s / b.median_s AS ratio
FROM least a JOIN least b ON b.id = a.id AND b.n = a.n AND a.role = 1 AND b.role = 2 GROUP BY a.id;

-- An order is judged tile by tile at every n. `slower`: at how many points the subject is slower.
CREATE TEMP TABLE orders AS
SELECT c.id, sum(a.median_s > b.median_s) AS slower, count(*) AS points
FROM claim c JOIN side a ON a.id = c.id AND a.role = 1
JOIN side b ON b.id = c.id AND b.role = 2 AND b.n = a.n AND b.tile IS a.tile AND b.threads IS a.threads
GROUP BY c.id;

-- An order of speed-ups: tile 512 on four threads against tile 128 on three threads.
CREATE TEMP TABLE gains AS
SELECT c.id, s.n, s.tile, s.threads, o.median_s / s.median_s AS ratio
FROM claim c JOIN side s ON s.id = c.id AND s.role = 1
JOIN side o ON o.id = c.id AND o.role = 1 AND o.threads = 1 AND o.n = s.n AND o.tile IS s.tile
WHERE c.quantity = 'order' AND c.reference IS NULL;
INSERT INTO orders
SELECT a.id, sum(a.ratio < b.ratio), count(*)
FROM gains a JOIN gains b ON b.id = a.id AND b.n = a.n AND b.tile = 128 AND b.threads = 3
WHERE a.tile = 512 AND a.threads = 4 GROUP BY a.id;

-- Iso-granularity, as the figure has it: of all ratios n / threads, the one that most thread counts have, then the
-- largest. The source had up to four threads. `linear`: the rate is nine tenths or more of as many single threads.
CREATE TEMP TABLE iso AS
WITH ratios AS (
    SELECT n / threads AS share, count(DISTINCT threads) AS counts FROM good
    WHERE threads IS NOT NULL AND n % threads = 0 GROUP BY n / threads
    HAVING count(DISTINCT threads) > 1 ORDER BY counts DESC, share DESC LIMIT 1)
SELECT c.id, g.tile, g.threads, g.n, g.gflops, r.share,
       g.gflops >= 0.9 * g.threads * (SELECT o.gflops FROM good o WHERE o.variant = g.variant AND o.tile IS g.tile
                                      AND o.threads = 1 AND o.n = r.share) AS linear
FROM claim c JOIN good g ON g.variant = c.subject JOIN ratios r ON g.n = r.share * g.threads
WHERE c.quantity = 'growth' AND g.threads <= 4;

-- `value`: up to how many threads the best tile is linear. Of a claim on tiles 128, 256 and 512 it says how many of the
-- claim's three parts hold.
CREATE TEMP TABLE grown AS
SELECT c.id, max(i.share) AS share, max(i.n) AS n,
       iif(instr(c.statement, 'slowest'),
           (SELECT min(linear) FROM iso t WHERE t.id = c.id AND t.tile = 128)
           + ((SELECT gflops FROM iso t WHERE t.id = c.id AND t.tile = 256 AND threads = 4)
              < (SELECT gflops FROM iso t WHERE t.id = c.id AND t.tile = 256 AND threads = 3))
           + (SELECT min(t.gflops = (SELECT min(o.gflops) FROM iso o WHERE o.id = t.id AND o.threads = t.threads))
              FROM iso t WHERE t.id = c.id AND t.tile = 512),
           (SELECT coalesce(min(iif(linear, NULL, threads)) - 1, max(threads)) FROM (
                SELECT threads, max(linear) AS linear FROM iso t WHERE t.id = c.id GROUP BY threads))) AS value
FROM claim c JOIN iso i USING (id) GROUP BY c.id HAVING max(i.threads) >= 4;

-- A trend may set one tile apart. `share`: how far the subject's other tiles fall, as last rate over best rate.
CREATE TEMP TABLE others AS
SELECT id, min(share) AS share FROM (
    SELECT c.id, g.tile, (SELECT l.gflops FROM good l WHERE l.variant = c.subject AND l.tile = g.tile
                          ORDER BY l.n DESC LIMIT 1)
                         / max(g.gflops) AS share
    FROM claim c JOIN good g ON g.variant = c.subject AND NOT instr(c.tiles, ' ' || g.tile || ' ')
    WHERE c.quantity = 'trend' GROUP BY c.id, g.tile)
GROUP BY id;

-- A best tile is told at sizes where most tiles were measured.
CREATE TEMP TABLE single AS
WITH tiled AS (SELECT id, n, count(DISTINCT tile) AS tiles FROM side WHERE role = 1 GROUP BY id, n)
SELECT l.id, max(l.n) AS n, l.percent, l.gflops, l.tile
FROM least l JOIN claim c USING (id) JOIN tiled t ON t.id = l.id AND t.n = l.n
WHERE l.role = 1 AND (c.quantity <> 'best tile' OR t.tiles = (SELECT max(o.tiles) FROM tiled o WHERE o.id = l.id))
GROUP BY l.id;

-- The gain of the claim's thread count over one thread, at the largest n.
CREATE TEMP TABLE gain AS
SELECT c.id, max(s.n) AS n, o.median_s / s.median_s AS ratio, s.threads
FROM claim c JOIN side s ON s.id = c.id AND s.role = 1 AND s.threads = c.claim_threads
JOIN side o ON o.id = c.id AND o.role = 1 AND o.threads = 1 AND o.n = s.n AND o.tile IS s.tile
GROUP BY c.id;

-- The bank model judges claims of conflicts and of reads: at each site, for one instruction of a warp.
CREATE TEMP TABLE site AS
SELECT 'aat/' || b.idea AS variant, b.idea, b.n, b.tile, s.value ->> '$.space' AS space,
       s.value ->> '$.direction' AS direction,
       s.value ->> '$.instructions' AS instructions,
       1.0 * (s.value ->> '$.conflicts') / (s.value ->> '$.instructions') AS conflicts,
       32.0 * (s.value ->> '$.sectors') / (s.value ->> '$.instructions') / (32 * (s.value ->> '$.width')) AS spread
FROM bank b, json_each(b.model, '$.sites') s
WHERE EXISTS (SELECT 1 FROM claim WHERE quantity IN ('bank conflicts', 'count ratio'))
  AND b.tile = 32 AND coalesce(b.padding, 1) = 1;

-- `coalesced`: no load touches more sectors than its bytes fill. AB and AA^T read in the same way.
CREATE TEMP TABLE modelled AS
SELECT c.id, max(s.conflicts) AS value, max(s.n) AS n,
       (SELECT max(spread) FROM site g
        WHERE g.variant = c.subject AND g.space = 'global' AND g.direction = 'load') <= 1 AS coalesced
FROM claim c JOIN site s ON s.variant = c.subject AND s.space = 'shared' AND s.direction = 'store'
WHERE c.quantity = 'bank conflicts' GROUP BY c.id
UNION ALL
SELECT c.id, 1.0 * g.instructions / t.instructions, g.n, NULL
FROM claim c
JOIN (SELECT n, sum(instructions) AS instructions FROM site
      WHERE idea = 'cuda-global' AND space = 'global' AND direction = 'load' GROUP BY n) g
JOIN (SELECT n, sum(instructions) AS instructions FROM site
      WHERE idea = 'cuda-b' AND space = 'global' AND direction = 'load' GROUP BY n) t
  USING (n)
WHERE c.quantity = 'count ratio';

-- Sweeps of a solver at every n of the claim, and the expected window over all sizes.
CREATE TEMP TABLE counts AS
SELECT c.id, max(v.n) AS n, min(v.least) AS least, max(v.most) AS most, count(DISTINCT v.n) AS sizes,
       (SELECT min(iterations_low) FROM expected e WHERE e.problem = v.problem AND e.omega = 1) AS low,
       (SELECT max(iterations_high) FROM expected e WHERE e.problem = v.problem AND e.omega = 1) AS high
FROM claim c JOIN solved v ON v.variant = c.subject AND v.n <= c.n_most
WHERE c.quantity = 'iterations' GROUP BY c.id;

CREATE TEMP TABLE measured AS
SELECT c.id,
       CASE c.quantity
         WHEN 'time ratio' THEN (SELECT ratio FROM pair p WHERE p.id = c.id)
         WHEN 'order' THEN (SELECT slower FROM orders o WHERE o.id = c.id)
         WHEN 'share of peak' THEN (SELECT percent FROM single s WHERE s.id = c.id)
         WHEN 'value' THEN (SELECT gflops FROM single s WHERE s.id = c.id)
         WHEN 'best tile' THEN (SELECT tile FROM single s WHERE s.id = c.id)
         WHEN 'speed-up' THEN (SELECT ratio FROM gain g WHERE g.id = c.id)
         WHEN 'efficiency' THEN (SELECT ratio / threads FROM gain g WHERE g.id = c.id)
         WHEN 'bank conflicts' THEN (SELECT value FROM modelled d WHERE d.id = c.id)
         WHEN 'count ratio' THEN (SELECT value FROM modelled d WHERE d.id = c.id)
         WHEN 'growth' THEN (SELECT value FROM grown w WHERE w.id = c.id)
         WHEN 'trend' THEN (SELECT (SELECT gflops FROM single s WHERE s.id = c.id) / max(gflops) FROM least l
                            WHERE l.id = c.id AND l.role = 1)
         WHEN 'iterations' THEN (SELECT max(most) FROM counts k WHERE k.id = c.id)
         WHEN 'crossover' THEN (SELECT min(a.n) FROM least a JOIN least b ON b.id = a.id AND b.n = a.n AND b.role = 2
                                WHERE a.id = c.id AND a.role = 1 AND a.median_s < b.median_s)
       END AS value,
       CASE WHEN c.quantity = 'growth' THEN (SELECT n FROM grown w WHERE w.id = c.id)
            WHEN c.quantity = 'order' AND c.reference IS NULL
              THEN (SELECT max(n) FROM gains g WHERE g.id = c.id AND EXISTS (SELECT 1 FROM orders o WHERE o.id = c.id))
            WHEN c.quantity IN ('time ratio', 'order') THEN (SELECT n FROM pair p WHERE p.id = c.id)
            WHEN c.quantity IN ('speed-up', 'efficiency') THEN (SELECT n FROM gain g WHERE g.id = c.id)
            WHEN c.quantity IN ('bank conflicts', 'count ratio') THEN (SELECT n FROM modelled d WHERE d.id = c.id)
            ELSE (SELECT n FROM single s WHERE s.id = c.id) END AS n
FROM claim c;

-- Two numbers agree if they differ by less than a quarter and lie on the same side of 1. Nine tenths of a peak count as
-- "practically all" of it.
-- align: L{0.105}L{0.365}rrL{0.09}rL{0.145}
SELECT c.id AS "Claim", c.statement AS "What the source says", c.published AS "Published",
       iif(c.quantity = 'iterations',
           (SELECT least || iif(most > least, '..' || most, '') FROM counts k WHERE k.id = c.id), sig(m.value, 3))
         AS "Here",
       CASE c.quantity WHEN 'trend' THEN 'last / best' WHEN 'bank conflicts' THEN 'extra wavefronts'
                       WHEN 'order' THEN (SELECT 'of ' || points || ' points' FROM orders o WHERE o.id = c.id)
                       WHEN 'growth' THEN iif(instr(c.statement, 'slowest'), 'of 3 parts', c.unit)
                       ELSE c.unit END AS "Unit", m.n AS "at N",
       CASE WHEN m.value IS NULL THEN 'not measurable here'
            WHEN c.quantity = 'iterations'
              THEN (SELECT iif(least >= low AND most <= high, 'holds at ' || sizes || iif(sizes = 1, ' size', ' sizes')
                               || ', and is no defect: as expected',
                               'not the expected ' || low || '..' || high)
                    FROM counts k WHERE k.id = c.id)
            WHEN m.n <> c.n_only THEN 'not measured at that N'
            WHEN c.quantity = 'bank conflicts'
              THEN (SELECT iif(d.value = c.low AND d.coalesced = (instr(c.statement, 'no coalescing') = 0), 'holds',
                               'does not hold here')
                    FROM modelled d WHERE d.id = c.id)
            WHEN c.quantity = 'count ratio' THEN iif(m.value = c.low, 'holds', 'does not hold here')
            WHEN c.quantity = 'order'
              THEN (SELECT CASE slower WHEN points THEN 'holds' WHEN 0 THEN 'does not hold here'
                                       ELSE 'holds at ' || slower || ' of ' || points || ' sizes and blocks' END
                    FROM orders o WHERE o.id = c.id)
            WHEN c.quantity = 'growth'
              THEN CASE WHEN instr(c.statement, 'slowest') AND m.value BETWEEN 1 AND 2
                          THEN 'holds in ' || m.value || ' of 3 parts'
                        WHEN m.value = iif(instr(c.statement, 'slowest'), 3, c.low) THEN 'holds'
                        ELSE 'does not hold here' END
                   || (SELECT iif(instr(c.scope, ', ' || share || ' per thread'), '',
                                  ' at ' || share || ' rows a thread')
                       FROM grown w WHERE w.id = c.id)
            WHEN c.quantity = 'trend' AND m.value >= 0.95 THEN 'does not hold here'
            WHEN c.quantity = 'trend' AND instr(c.statement, 'all others')
              THEN (SELECT iif(share >= 0.95, 'holds', 'it falls, but the others too (to ' || sig(share, 2) || ')')
                    FROM others o WHERE o.id = c.id)
            WHEN c.quantity = 'trend' THEN 'holds'
            WHEN c.quantity = 'best tile'
                 AND (SELECT count(DISTINCT tile) FROM side s WHERE s.id = c.id AND s.role = 1) < 2
              THEN 'not measurable here'
            WHEN c.quantity = 'best tile' THEN iif(m.value = c.low, 'holds', 'does not hold here')
            WHEN instr(c.statement, 'steadiest') AND (SELECT max(threads) FROM side s WHERE s.id = c.id) < 3
              THEN 'not measurable here'
            WHEN c.quantity = 'share of peak' AND c.low = 100 THEN iif(m.value >= 90, 'holds', 'does not hold here')
            WHEN m.value BETWEEN 0.75 * c.low AND 1.25 * c.high
                 AND (c.quantity NOT IN ('time ratio', 'speed-up') OR c.low = 1 OR (m.value > 1) = (c.low > 1))
              THEN 'holds' || CASE WHEN instr(c.published, ';') THEN ' on ' || c.claim_threads || ' threads'
                                   WHEN instr(c.statement, 'at tile 2') AND NOT instr(c.tiles, ' 2 ')
                                     THEN ' at tile' || rtrim(c.tiles) ELSE '' END
            WHEN c.quantity IN ('time ratio', 'speed-up') AND (m.value > 1) = (c.low > 1) AND c.low <> 1
              THEN 'direction holds'
                   || iif(instr(c.statement, 'at tile 2') AND NOT instr(c.tiles, ' 2 '),
                          ' at tile' || rtrim(c.tiles), '')
                   || ', size does not'
            ELSE 'does not hold here' END AS "Verdict"
FROM claim c JOIN measured m USING (id)
ORDER BY length(c.id), c.id;
