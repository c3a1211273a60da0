-- Compares each variant of a calibration with its twin, which is the same code under another name. Parameters: :now,
-- :profile. SPDX-License-Identifier: MIT
SELECT :now AS measured_at, :profile AS profile, a.side, a.variant, a.settings, a.rounds,
       a.median_s / b.median_s AS speedup, a.ci_lo_s / b.ci_hi_s AS low, a.ci_hi_s / b.ci_lo_s AS high,
       verdict(a.median_s / b.median_s, a.ci_lo_s / b.ci_hi_s, a.ci_hi_s / b.ci_lo_s) AS verdict,
       nullif(trim(replace(coalesce(a.flags, '') || '+' || coalesce(b.flags, ''), '+', ' ')), '') AS flags
FROM results a JOIN results b ON b.host = a.host AND b.experiment = a.experiment AND b.settings = a.settings
  AND b.variant = a.variant || '-twin'
WHERE a.status = 'ok' AND b.status = 'ok' AND NOT a.probe
ORDER BY a.side, a.variant, a.n, a.settings;
