-- The state of the data: what each study has on each host that the report shows. SPDX-License-Identifier: MIT
-- needs: chosen.sql
-- A flag of a result is one word between the signs +.
-- group
SELECT iif(c.local, 'this machine', c.host) AS "Host", c.experiment AS "Study", p.counts AS "Profile",
       count(*) FILTER (WHERE r.status = 'ok') AS "ok",
       count(*) FILTER (WHERE r.status = 'skipped') AS "skipped",
       count(*) FILTER (WHERE r.status NOT IN ('ok', 'skipped', 'withdrawn')) AS "failed",
       nullif(count(*) FILTER (WHERE r.status = 'withdrawn'), 0) AS "withdrawn",
       count(*) FILTER (WHERE r.status = 'ok' AND r.flags <> '') AS "flagged",
       count(*) FILTER (WHERE '+' || r.flags || '+' LIKE '%+partial+%') AS "partial",
       count(*) FILTER (WHERE '+' || r.flags || '+' LIKE '%+simulated+%') AS "simulated",
       count(*) FILTER (WHERE r.stale AND r.status <> 'skipped') AS "stale",
       max(coalesce(r.generation, 1)) AS "generation",
       (SELECT count(*) FROM archive o WHERE o.host = c.host AND o.experiment = c.experiment) AS "archived"
FROM chosen c JOIN study s USING (experiment) JOIN results r USING (host, experiment)
LEFT JOIN profiled p USING (host, experiment)
GROUP BY c.host, c.experiment ORDER BY c.host_ord, s.study_ord;
