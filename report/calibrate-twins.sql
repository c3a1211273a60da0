-- Compares each variant of a calibration with its twin, which is the same code under another name. Where each half of a
-- cell's launches has what a verdict needs, the halves are compared one by one, as if each were a study: `half` is 1 or
-- 2. Other cells are compared whole: `half` is 0. `overlaps`, in the row of half 1: of the cell and its twin, how many
-- have intervals of both halves that overlap. A side that was not measured now keeps its last rows.
-- Parameters: :now, :profile; :rounds and :launches, which a verdict needs. SPDX-License-Identifier: MIT
WITH round_median AS (
    SELECT host, experiment, cell, launch, round, median(kernel_s) AS median_s,
           dense_rank() OVER (PARTITION BY host, experiment, cell ORDER BY launch) AS place
    FROM samples GROUP BY host, experiment, cell, launch, round),
half AS (
    SELECT host, experiment, cell, 1 + (2 * place > launches) AS half, median(median_s) AS median_s,
           min(median_s) AS lo_s, max(median_s) AS hi_s, count(*) AS rounds, count(DISTINCT launch) AS launches
    FROM (SELECT *, max(place) OVER (PARTITION BY host, experiment, cell) AS launches FROM round_median)
    GROUP BY host, experiment, cell, half),
halved AS (
    SELECT host, experiment, cell, max(lo_s) <= min(hi_s) AS overlaps
    FROM half WHERE rounds >= :rounds + 0 AND launches >= :launches + 0
    GROUP BY host, experiment, cell HAVING count(*) = 2),
part AS (
    SELECT host, experiment, cell, half, median_s, lo_s, hi_s, rounds, iif(half = 1, overlaps, NULL) AS overlaps
    FROM half JOIN halved USING (host, experiment, cell)
    UNION ALL
    SELECT host, experiment, cell, 0, median_s, ci_lo_s, ci_hi_s, rounds, NULL
    FROM results WHERE (host, experiment, cell) NOT IN (SELECT host, experiment, cell FROM halved)),
timed AS (
    SELECT r.host, r.experiment, r.side, r.variant, r.n, r.settings, r.flagged, r.weak, p.half,
           p.median_s, span(p.median_s, p.lo_s, p.hi_s) AS span, p.rounds, p.overlaps
    FROM cells r JOIN part p USING (host, experiment, cell)),
measured AS (
    SELECT :now AS measured_at, :profile AS profile, a.side, a.variant, a.n, a.settings, a.half, a.rounds,
           a.median_s / b.median_s AS speedup, ratio_low(a.span, b.span) AS low, ratio_high(a.span, b.span) AS high,
           verdict(a.span, b.span, coalesce(a.weak, b.weak)) AS verdict,
           a.overlaps + b.overlaps AS overlaps,
           (SELECT group_concat(name, '+')
            FROM (SELECT name FROM marks WHERE flag(name) & all_flags(a.flagged, b.flagged) ORDER BY ord)) AS flags
    FROM timed a JOIN timed b ON b.host = a.host AND b.experiment = a.experiment AND b.settings = a.settings
      AND b.variant = a.variant || '-twin' AND b.half = a.half)
SELECT measured_at, profile, side, variant, settings, half, rounds, speedup, low, high, verdict, overlaps, flags
FROM (SELECT * FROM measured
      UNION ALL
      SELECT measured_at, profile, side, variant, rowid, settings, half, rounds, speedup, low, high, verdict, overlaps,
             flags
      FROM calibration
      WHERE side NOT IN (SELECT side FROM measured) AND EXISTS (SELECT 1 FROM measured))
ORDER BY side, variant, n, settings, half;
