-- Every cell of a study on a host, with its reason. Parameters: :host, :experiment, :kernels (the files that have a
-- page). SPDX-License-Identifier: MIT
-- needs: ../figures/study.sql
SELECT c.cell AS "id", c.variant AS "Variant",
       (SELECT 'kernel-' || replace(substr(v.file, 9), '/', '-') || '.html' FROM variants v
        WHERE v.host = :host AND v.experiment = :experiment AND v.name = c.variant
          AND instr(' ' || :kernels || ' ', ' ' || v.file || ' ')) AS "href Variant",
       c.settings AS "Settings", c.status AS "Outcome",
       coalesce(nullif(c.reason, ''), nullif(c.no_energy, '')) AS "Reason",
       marked(si(c.median_s, 's'), c.flagged) AS "Median",
       si(c.ci_lo_s, 's') AS "from", si(c.ci_hi_s, 's') AS "to", sig(c.gflops, 4) AS "GFLOP/s", sig(c.gbs, 4) AS "GB/s",
       iif(l.unit IS NULL, iif(l.share IS NULL, NULL, 'unknown'), l.unit || ', ' || sig(100 * l.share, 2) || ' %')
         AS "Limit",
       c.iterations AS "Sweeps", sig(c.power_w) AS "Power, W", sig(c.energy_j) AS "Energy, J",
       sig(c.gflops_per_w) AS "GFLOP/s per W",
       s.least || coalesce(' .. ' || nullif(s.most, s.least), '') AS "Clock, GHz",
       s.coolest || coalesce(' .. ' || nullif(s.warmest, s.coolest), '') AS "°C",
       c.rounds AS "Rounds", c.samples AS "Samples", si(c.upload_s, 's') AS "Upload",
       si(c.download_s, 's') AS "Download", si(c.total_s, 's') AS "End to end",
       iif(c.error IS NULL, NULL, printf('%.2e', c.error)) AS "Error", c.bound AS "Bound",
       c.profile AS "Profile", c.generation AS "Generation",
       iif(c.stale AND c.status <> 'skipped', 'earlier source', NULL) AS "State",
       substr(c.source_hash, 1, 12) AS "Source hash", substr(c.library_hash, 1, 12) AS "Library hash",
       substr(c.machine_hash, 1, 12) AS "Machine hash", iif(c.probe, 'ceiling', NULL) AS "Kind", c.cell AS "Cell",
       '#' || c.cell AS "href Cell"
FROM cell c
LEFT JOIN (SELECT cell, sig(min(clock_hz) / 1e9) AS least, sig(max(clock_hz) / 1e9) AS most,
                  min(temperature_c) AS coolest, max(temperature_c) AS warmest
           FROM samples WHERE host = :host AND experiment = :experiment GROUP BY cell) s USING (cell)
LEFT JOIN (SELECT * FROM limits WHERE host = :host AND experiment = :experiment) l USING (cell)
ORDER BY c.probe, c.ord, c.variant, c.n, c.rowid;
