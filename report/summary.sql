-- The best own variant of each problem and device beside the library. Parameter: :host. SPDX-License-Identifier: MIT
-- group
-- align: lllrlrlrlr
--
-- Times of different studies are never compared: both sides come from one study, at the largest n where both have an
-- interval, or where both were measured if no interval is there.
WITH every AS (
    SELECT r.*, coalesce(v.pivoting, 'none') AS contract, nullif(coalesce(v.library, k.library, ''), '') AS library,
           coalesce(r.threads, 1) AS on_threads, instr(coalesce(v.tensor, ''), r.precision) > 0 AS tensor,
           iif(r.halved, r.n * (r.n + 1.0) * coalesce(r.k, r.n) / r.median_s / 1e9, r.gflops) AS rate
    FROM results r JOIN chosen USING (host, experiment)
    LEFT JOIN variants v ON v.host = r.host AND v.experiment = r.experiment AND v.name = r.variant
    LEFT JOIN known k ON k.name = r.variant
    WHERE r.host = :host AND r.status = 'ok' AND NOT r.probe AND r.experiment <> 'smoke'
      AND coalesce(r.m, r.n) = r.n AND coalesce(r.k, r.n) = r.n
      AND r.problem NOT IN (SELECT name FROM problems WHERE probe)),
pair AS (
    SELECT o.experiment, o.machine, o.problem, o.side, o.precision, o.n, o.contract, o.idea, o.on_threads, o.tensor,
           o.solver, o.rate, o.gflops, o.gbs, o.median_s, o.ci_lo_s, o.ci_hi_s, o.doubtful,
           v.contract AS vendor_contract, v.idea AS vendor, v.median_s AS vendor_s, v.ci_lo_s AS vendor_lo,
           v.ci_hi_s AS vendor_hi, v.doubtful AS vendor_doubtful,
           row_number() OVER (PARTITION BY o.problem, o.side, o.precision, o.contract
                              ORDER BY o.ci_lo_s IS NULL OR v.ci_lo_s IS NULL, o.n DESC, o.on_threads DESC,
                                       v.contract <> o.contract, o.median_s, v.median_s) AS place
    FROM every o JOIN every v USING (experiment, side, task)
    WHERE NOT o.vendor AND o.library IS NULL AND v.vendor),
shared AS (
    SELECT *, 100 * iif(solver, gbs / (SELECT max(f.gbs) FROM results f
                                       WHERE f.host = :host AND f.status = 'ok' AND f.problem = 'read'
                                         AND f.experiment = p.experiment AND f.machine = p.machine AND f.side = p.side
                                         AND (f.side = 'GPU' OR f.threads = p.on_threads)),
                        rate / (SELECT max(f.gflops) FROM results f LEFT JOIN variants v
                                  ON v.host = f.host AND v.experiment = f.experiment AND v.name = f.variant
                                WHERE f.host = :host AND f.status = 'ok' AND f.problem = 'fma' AND f.side = p.side
                                  AND f.precision = p.precision AND (f.side = 'GPU' OR f.threads = p.on_threads)
                                  AND f.experiment = p.experiment AND f.machine = p.machine
                                  AND (instr(coalesce(v.tensor, ''), f.precision) > 0) = p.tensor)) AS share
    FROM pair p WHERE place = 1)
SELECT problem || iif(contract = 'none', '', ', pivoting') AS "Problem", precision AS "Type", side AS "Device",
       n AS "n", idea AS "Best own",
       iif(solver, si(1e9 * gbs, 'B/s'), si(1e9 * gflops, 'FLOP/s')) AS "Rate",
       iif(vendor GLOB 'blas-*', substr(vendor, 6), vendor) || iif(vendor_contract = contract, '', ', pivoting')
         AS "Library",
       sig(vendor_s / median_s, iif(vendor_s / median_s < 0.1, 2, 3))
       || coalesce(' [' || sig(vendor_lo / ci_hi_s, iif(vendor_lo / ci_hi_s < 0.1, 2, 3)) || ', '
                    || sig(vendor_hi / ci_lo_s, iif(vendor_hi / ci_lo_s < 0.1, 2, 3)) || ']', '')
         AS "Own / library",
       replace(verdict(vendor_s / median_s, vendor_lo / ci_hi_s, vendor_hi / ci_lo_s), 'single', 'one run')
       || iif(doubtful OR vendor_doubtful, '†', '') AS "Verdict",
       iif(share > 100 AND NOT solver, 'broken', sig(share, 2)) AS "% peak"
FROM shared p
ORDER BY (SELECT rowid FROM problems q WHERE q.name = p.problem), contract, precision, side;
