-- Decides which studies of which hosts the report shows. Parameter: :studies, names between blanks; empty: all studies.
-- SPDX-License-Identifier: MIT

-- The first data folder is this machine. A recorded host is shown if this machine lacks the study. It is also shown if
-- this machine lacks a backend, a size or a thread count that has verified results on that host.
CREATE TEMP TABLE verified AS
SELECT DISTINCT host, experiment, backend, n, coalesce(threads, 0) AS threads FROM results
WHERE status = 'ok' AND NOT probe;

CREATE TEMP TABLE chosen AS
SELECT h.ord AS host_ord, e.host, e.experiment, h.ord = 0 AS local
FROM (SELECT DISTINCT host, experiment FROM results) e JOIN hosts h USING (host)
WHERE e.host NOT GLOB '*[^A-Za-z0-9.-]*' AND e.experiment NOT GLOB '*[^a-z0-9-]*'
  AND (trim(coalesce(:studies, '')) = '' OR instr(' ' || :studies || ' ', ' ' || e.experiment || ' '))
  AND (h.ord = 0
       OR NOT EXISTS (SELECT 1 FROM results r WHERE r.experiment = e.experiment
                      AND r.host = (SELECT host FROM hosts WHERE ord = 0))
       OR EXISTS (SELECT 1 FROM verified v WHERE v.host = e.host AND v.experiment = e.experiment
                  AND NOT EXISTS (SELECT 1 FROM verified here WHERE here.experiment = v.experiment
                                  AND here.backend = v.backend AND here.n = v.n AND here.threads = v.threads
                                  AND here.host = (SELECT host FROM hosts WHERE ord = 0))));

-- The studies in the order of their chapters: by source. The study that checks every variant comes last.
CREATE TEMP TABLE study AS
SELECT c.experiment, coalesce(max(e.title), c.experiment) AS title, coalesce(max(e.source), '') AS source,
       row_number() OVER (ORDER BY c.experiment = 'smoke', coalesce(max(e.source), '') = 'tilelab',
                          CASE max(e.source) WHEN 'lab5' THEN 1 WHEN 'oneapi' THEN 2 WHEN 'granular' THEN 3
                                             WHEN 'feup' THEN 4 ELSE 5 END,
                          CASE WHEN c.experiment LIKE '%-seq' OR c.experiment LIKE '%-aat' THEN 1
                               WHEN c.experiment LIKE '%-omp' THEN 2
                               WHEN c.experiment LIKE '%-gpu' THEN 3 ELSE 0 END, c.experiment) AS chapter
FROM chosen c LEFT JOIN experiments e ON e.host = c.host AND e.name = c.experiment
GROUP BY c.experiment;

-- How the report names a host: by its GPU if it has one, else by its CPU.
CREATE TEMP TABLE about AS
SELECT h.host, h.ord,
       (SELECT value FROM machine m WHERE m.host = h.host AND m.key = 'machine.cpu_model' LIMIT 1) AS cpu,
       (SELECT value FROM machine m WHERE m.host = h.host AND m.key = 'gpu.name' LIMIT 1) AS gpu,
       iif(h.ord = 0, 'this machine', 'recorded on '
           || coalesce((SELECT value FROM machine m WHERE m.host = h.host AND m.key = 'gpu.name' LIMIT 1),
                       (SELECT value FROM machine m WHERE m.host = h.host AND m.key = 'machine.cpu_model' LIMIT 1),
                       'another machine') || ', host ' || h.host) AS label
FROM hosts h WHERE h.host IN (SELECT host FROM chosen);

-- The profiles whose results a study shows on a host: the name of the profile, or each name with its number of cells,
-- as a sentence has it (`profiles`) and as a table has it (`counts`). Results of an older program do not tell their
-- profile; the run record tells the profile of the last run.
CREATE TEMP TABLE profiled AS
WITH told AS (
    SELECT r.host, r.experiment, coalesce(r.profile, e.profile, 'unknown') AS profile, count(*) AS cells
    FROM results r LEFT JOIN experiments e ON e.host = r.host AND e.name = r.experiment
    WHERE r.status = 'ok' GROUP BY 1, 2, 3 ORDER BY 1, 2, 4 DESC, 3)
SELECT host, experiment,
       iif(count(*) = 1, max(profile),
           group_concat(profile || ' (' || cells || iif(cells = 1, ' cell)', ' cells)'), ', ')) AS profiles,
       iif(count(*) = 1, max(profile), group_concat(profile || ' ' || cells, ', ')) AS counts
FROM told GROUP BY host, experiment;
