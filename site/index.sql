-- Every study on every host: how many cells have which outcome. SPDX-License-Identifier: MIT
-- needs: ../report/chosen.sql
SELECT s.experiment AS "Study", 'study-' || s.experiment || '.html' AS "href Study", s.title AS "Title",
       s.source AS "Source", a.label AS "Measured on", coalesce(p.counts, '–') AS "Profile", count(*) AS "Cells",
       'cells-' || s.experiment || '.' || c.host || '.html' AS "href Cells",
       iif(sum(r.status = 'ok') > 0, sum(r.status = 'ok'), 'nothing measured') AS "ok",
       sum(r.status = 'skipped') AS "skipped", sum(r.status NOT IN ('ok', 'skipped', 'withdrawn')) AS "failed",
       nullif(sum(r.status = 'withdrawn'), 0) AS "withdrawn",
       sum(r.status = 'ok' AND r.unsound) AS "flagged", sum(r.status = 'ok' AND r.stale) AS "stale"
FROM chosen c JOIN study s USING (experiment) JOIN about a USING (host) JOIN results r USING (host, experiment)
LEFT JOIN profiled p USING (host, experiment)
WHERE NOT r.probe
GROUP BY c.host, c.experiment ORDER BY s.study_ord, c.host_ord;
