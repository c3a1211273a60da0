-- Decides which studies of which hosts the report shows, and in which order.
-- Parameters: :studies, names between blanks; empty: all studies. :hosts, names of recorded hosts between blanks, or
-- `all`: every recorded host that adds something. SPDX-License-Identifier: MIT

-- The first data folder is this machine. A recorded host is shown if it is named. If none is named, it is shown if this
-- machine lacks the study; of all hosts, also if this machine lacks a backend, a size or a thread count that has
-- verified results on that host.
CREATE TEMP TABLE verified AS
SELECT DISTINCT host, experiment, backend, n, coalesce(threads, 0) AS threads FROM results
WHERE status = 'ok' AND NOT probe;

CREATE INDEX verified_of ON verified(experiment, host, backend, n, threads);

CREATE TEMP TABLE worth AS
SELECT h.ord AS host_ord, e.host, e.experiment, h.ord = 0 AS local,
       instr(' ' || coalesce(:hosts, '') || ' ', ' ' || e.host || ' ') > 0 AS named
FROM (SELECT DISTINCT host, experiment FROM results) e JOIN hosts h USING (host)
WHERE e.host NOT GLOB '*[^A-Za-z0-9.-]*' AND e.experiment NOT GLOB '*[^a-z0-9-]*'
  AND (trim(coalesce(:studies, '')) = '' OR instr(' ' || :studies || ' ', ' ' || e.experiment || ' '))
  AND (h.ord = 0
       OR trim(coalesce(:hosts, '')) IN ('', 'all', 'none')
          AND NOT EXISTS (SELECT 1 FROM results r WHERE r.experiment = e.experiment
                          AND r.host = (SELECT host FROM hosts WHERE ord = 0))
       OR instr(' ' || coalesce(:hosts, '') || ' ', ' ' || e.host || ' ')
       OR :hosts = 'all'
          AND EXISTS (SELECT 1 FROM verified v WHERE v.host = e.host AND v.experiment = e.experiment
                      AND NOT EXISTS (SELECT 1 FROM verified here WHERE here.experiment = v.experiment
                                      AND here.backend = v.backend AND here.n = v.n AND here.threads = v.threads
                                      AND here.host = (SELECT host FROM hosts WHERE ord = 0))));

-- The recorded hosts with verdicts for most of their times, and many of them, if hosts are shown that nobody has named.
CREATE TEMP TABLE deciding AS
SELECT host FROM host_verdicts WHERE decides AND host IN (SELECT host FROM worth WHERE NOT named AND NOT local);

-- Beside such hosts, others would add pages and no verdict. A page holds the panels of a dozen hosts. Further hosts, as
-- those of a class, are shown where they are named.
CREATE TEMP TABLE chosen AS
SELECT host_ord, host, experiment, local
FROM (SELECT *, dense_rank() OVER (ORDER BY named OR local, host_ord) AS place
      FROM worth WHERE named OR local OR host IN (SELECT host FROM deciding) OR NOT EXISTS (SELECT 1 FROM deciding))
WHERE named OR local OR place <= 12;

-- The studies that a host has measured: at least one time of an own variant. Sections tell of these hosts alone.
CREATE TEMP TABLE own AS
SELECT DISTINCT host, experiment FROM results WHERE status = 'ok' AND NOT probe AND NOT vendor;

-- The studies in the order of the report: a chapter for each problem, in the order of the registry, with the ceilings
-- last. All solvers share a chapter. Within a chapter the studies of one source stand together, the small ones first.
CREATE TEMP TABLE study AS
WITH asked AS (
    SELECT c.experiment, coalesce(max(e.title), c.experiment) AS title, coalesce(max(e.source), '') AS source,
           max(e.about) AS about,
           (SELECT s.problem FROM studied s WHERE s.experiment = c.experiment ORDER BY s.ord LIMIT 1) AS problem,
           (SELECT count(*) FROM results r JOIN chosen s USING (host, experiment)
            WHERE r.experiment = c.experiment AND NOT r.probe) AS cells
    FROM chosen c LEFT JOIN experiments e ON e.host = c.host AND e.name = c.experiment
    GROUP BY c.experiment),
placed AS (
    SELECT a.*, coalesce(p.ord, 0) AS problem_ord, coalesce(p.probe, 0) AS probe,
           CASE WHEN p.probe THEN 'ceilings' WHEN p.solver THEN 'solvers' ELSE a.problem END AS chapter
    FROM asked a
    LEFT JOIN (SELECT rowid AS ord, name, probe,
                      EXISTS (SELECT 1 FROM results r WHERE r.problem = problems.name AND r.solver) AS solver
               FROM problems) p ON p.name = a.problem)
SELECT experiment, title, source, about, problem, coalesce(chapter, 'others') AS chapter,
       dense_rank() OVER (ORDER BY probe, min_ord, chapter) AS chapter_ord,
       row_number() OVER (ORDER BY probe, min_ord, chapter, source = 'tilelab', first_of_source, source, cells,
                                   experiment) AS study_ord
FROM (SELECT *, min(problem_ord) OVER (PARTITION BY chapter) AS min_ord,
             min(experiment) OVER (PARTITION BY chapter, source) AS first_of_source FROM placed);

-- The figures that the report draws. In a report of many studies, a figure stands on the site alone where another
-- figure or a table of the same study says the same: times and speed-ups over n are rates, times of solvers are times
-- to solution, speed-up over threads tells how a program scales, and a table has the shares of each device, the best
-- block sizes or the fastest tile of each size. Maps of the tiles of products stand: the summary answers by them. A
-- rate over five sizes at most is no curve: the table of the fastest variants has these sizes. A user's own report
-- shows it all the same. One roofline shows what tiles do to the traffic; it is that of the first study that has one.
CREATE TEMP VIEW drawn AS
WITH repeats(name, kind, of) AS (
    VALUES ('time-by-n', 'figure', 'gflops-by-n'), ('speedup-by-n', 'figure', 'gflops-by-n'),
           ('lab5-2', 'figure', 'gflops-by-n'), ('lab5-3', 'figure', 'gflops-by-n'),
           ('time-by-n', 'figure', 'solution-by-n'), ('iso-granularity', 'figure', 'thread-speedup'),
           ('share-by-device', 'table', 'languages'), ('speed-by-block', 'table', 'packed-blocks'),
           ('sweeps-by-n', 'table', 'seidel-counts')),
named AS (
    SELECT 'figure' AS kind, host, experiment, name FROM figures
    UNION ALL SELECT 'table', host, experiment, name FROM tables),
few_sizes AS (
    SELECT experiment
    FROM (SELECT r.host, r.experiment, count(DISTINCT r.n) AS sizes
          FROM results r JOIN chosen c USING (host, experiment)
          WHERE r.status = 'ok' AND NOT r.probe GROUP BY r.host, r.experiment)
    GROUP BY experiment HAVING max(sizes) <= 5)
SELECT f.* FROM figures f
WHERE (SELECT count(*) FROM study) = 1
   OR NOT EXISTS (SELECT 1 FROM repeats r JOIN named o ON o.kind = r.kind AND o.name = r.of
                  WHERE r.name = f.name AND o.host = f.host AND o.experiment = f.experiment)
      AND (f.name <> 'speed-by-tile' OR f.experiment IN (SELECT experiment FROM study WHERE problem = 'matmul')
           OR NOT EXISTS (SELECT 1 FROM tables t WHERE t.name = 'best' AND t.experiment = f.experiment))
      AND (f.name <> 'gflops-by-n' OR f.experiment NOT IN (SELECT experiment FROM few_sizes)
           OR EXISTS (SELECT 1 FROM chosen WHERE local)
           OR NOT EXISTS (SELECT 1 FROM tables t WHERE t.name = 'best' AND t.experiment = f.experiment))
      AND (f.name <> 'roofline' OR f.experiment = (SELECT s.experiment FROM study s JOIN figures o USING (experiment)
                                                   JOIN own USING (host, experiment)
                                                   WHERE o.name = 'roofline' ORDER BY s.study_ord LIMIT 1));

-- The tables that the report prints. In a report of many studies, the site alone has those of each setting, run or
-- message, those that a laboratory prescribes beside the ones that its questions need or its figures draw, the
-- bandwidth of each probe, and the growth of elements behind the first study that shows it.
CREATE TEMP VIEW printed AS
SELECT t.* FROM tables t
WHERE (SELECT count(*) FROM study) = 1
   OR t.name NOT IN ('lab5-3', 'lab5-5', 'lab5-norm', 'lab5-metrics', 'messages', 'peaks-memory', 'racy', 'sweeps',
                      'tuning')
      AND (t.name <> 'growth' OR t.experiment = (SELECT s.experiment FROM study s JOIN tables o USING (experiment)
                                                 WHERE o.name = 'growth' ORDER BY s.study_ord LIMIT 1));

-- The source of a laboratory's study that the report shows alone. The report then has the order that the laboratory
-- asks for.
CREATE TEMP VIEW laboratory AS
SELECT source FROM study WHERE source GLOB 'lab*' AND (SELECT count(*) FROM study) = 1;

-- How the report names a host: by its GPU if it has one, else by its CPU. `label` stands in a
-- sentence, `title` above a table or figure, `name` in a caption.
CREATE TEMP TABLE about AS
WITH named AS (
    SELECT h.host, h.ord,
           (SELECT value FROM machine m WHERE m.host = h.host AND m.key = 'machine.cpu_model' LIMIT 1) AS cpu,
           (SELECT value FROM machine m WHERE m.host = h.host AND m.key = 'gpu.name' LIMIT 1) AS gpu
    FROM hosts h WHERE h.host IN (SELECT host FROM chosen))
SELECT *, upper(substr(label, 1, 1)) || substr(label, 2) AS title
FROM (SELECT *, iif(ord = 0, '', 'recorded on ') || name AS label
      FROM (SELECT *, iif(ord = 0, 'this machine', coalesce(gpu, cpu, 'another machine') || ', host ' || host) AS name
            FROM named));

-- The profiles whose results a study shows on a host: the name of the profile, or each name with its number of cells,
-- in LaTeX (`profiles`) and as a table has it (`counts`). Results of an older program do not tell their
-- profile; the run record tells the profile of the last run.
CREATE TEMP TABLE profiled AS
WITH told AS (
    SELECT r.host, r.experiment, coalesce(r.profile, e.profile, 'unknown') AS profile, count(*) AS cells
    FROM results r LEFT JOIN experiments e ON e.host = r.host AND e.name = r.experiment
    WHERE r.status = 'ok' GROUP BY 1, 2, 3 ORDER BY 1, 2, 4 DESC, 3)
SELECT host, experiment,
       iif(count(*) = 1, latex(max(profile)),
           group_concat('\profilecells{' || latex(profile) || '}{' || cells || '}', ', ')) AS profiles,
       iif(count(*) = 1, max(profile), group_concat(profile || ' ' || cells, ', ')) AS counts
FROM told GROUP BY host, experiment;
