-- Compares each variant of a calibration with its twin, which is the same code under another name. A side that was not
-- measured now keeps its last rows. Parameters: :now, :profile. SPDX-License-Identifier: MIT
WITH measured AS (
    SELECT :now AS measured_at, :profile AS profile, a.side, a.variant, a.n, a.settings, a.rounds,
           a.median_s / b.median_s AS speedup, a.ci_lo_s / b.ci_hi_s AS low, a.ci_hi_s / b.ci_lo_s AS high,
           verdict(a.median_s / b.median_s, a.ci_lo_s / b.ci_hi_s, a.ci_hi_s / b.ci_lo_s, coalesce(a.weak, b.weak))
             AS verdict,
           nullif(trim(replace(coalesce(a.flags, '') || '+' || coalesce(b.flags, ''), '+', ' ')), '') AS flags
    FROM results a JOIN results b ON b.host = a.host AND b.experiment = a.experiment AND b.settings = a.settings
      AND b.variant = a.variant || '-twin'
    WHERE a.status = 'ok' AND b.status = 'ok' AND NOT a.probe)
SELECT measured_at, profile, side, variant, settings, rounds, speedup, low, high, verdict, flags
FROM (SELECT * FROM measured
      UNION ALL
      SELECT measured_at, profile, side, variant, rowid, settings, rounds, speedup, low, high, verdict, flags
      FROM calibration
      WHERE side NOT IN (SELECT side FROM measured) AND EXISTS (SELECT 1 FROM measured))
ORDER BY side, variant, n, settings;
