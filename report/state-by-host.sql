-- The state of the data of each host in one row: the cells of the studies by outcome, without probes. Another table
-- (state-by-study.sql) has a row for each study. A fault that no cell has is no column.
-- SPDX-License-Identifier: MIT
-- needs: chosen.sql
SELECT a.title AS "State of the data",
       count(DISTINCT r.experiment) AS "studies", count(*) AS "cells",
       count(*) FILTER (WHERE r.status = 'ok') AS "measured",
       count(*) FILTER (WHERE r.status = 'skipped') AS "skipped",
       iif(sum(count(*) FILTER (WHERE r.status NOT IN ('ok', 'skipped', 'withdrawn'))) OVER () > 0,
           count(*) FILTER (WHERE r.status NOT IN ('ok', 'skipped', 'withdrawn')), NULL) AS "failed",
       nullif(count(*) FILTER (WHERE r.status = 'withdrawn'), 0) AS "withdrawn",
       iif(sum(count(*) FILTER (WHERE r.status = 'ok' AND r.flags <> '')) OVER () > 0,
           count(*) FILTER (WHERE r.status = 'ok' AND r.flags <> ''), NULL) AS "flagged",
       iif(sum(count(*) FILTER (WHERE r.stale AND r.status <> 'skipped')) OVER () > 0,
           count(*) FILTER (WHERE r.stale AND r.status <> 'skipped'), NULL) AS "stale"
FROM chosen c JOIN about a USING (host) JOIN results r USING (host, experiment)
WHERE NOT r.probe GROUP BY a.host ORDER BY a.ord;
