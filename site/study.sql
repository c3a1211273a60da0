-- The hosts of a study, with the way to all of its cells. Parameter: :experiment. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT a.label AS "Measured on", 'cells-' || e.name || '.' || e.host || '.html' AS "href Measured on",
       e.source AS "Source", p.counts AS "Profile",
       datetime(nullif(e.measured_at, 0), 'unixepoch') AS "Measured at, UTC",
       substr(e."commit", 1, 12) || iif(e.dirty, ' with changes', '') AS "Commit", e.baseline AS "Baseline"
FROM experiments e JOIN chosen c ON c.host = e.host AND c.experiment = e.name JOIN about a ON a.host = e.host
LEFT JOIN profiled p ON p.host = e.host AND p.experiment = e.name
WHERE e.name = :experiment ORDER BY c.host_ord;
