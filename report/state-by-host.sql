-- The state of the data of each host in one row: the cells of the studies by outcome, without probes. Another table
-- (state-by-study.sql) has a row for each study. SPDX-License-Identifier: MIT
-- needs: chosen.sql
SELECT a.title AS "State of the data",
       count(DISTINCT r.experiment) AS "studies", count(*) AS "cells",
       count(*) FILTER (WHERE r.status = 'ok') AS "measured",
       count(*) FILTER (WHERE r.status = 'skipped') AS "skipped",
       count(*) FILTER (WHERE r.status NOT IN ('ok', 'skipped', 'withdrawn')) AS "failed",
       nullif(count(*) FILTER (WHERE r.status = 'withdrawn'), 0) AS "withdrawn",
       count(*) FILTER (WHERE r.status = 'ok' AND r.flags <> '') AS "flagged",
       count(*) FILTER (WHERE r.stale AND r.status <> 'skipped') AS "stale"
FROM chosen c JOIN about a USING (host) JOIN results r USING (host, experiment)
WHERE NOT r.probe GROUP BY a.host ORDER BY a.ord;
