-- The numbers and names of the title page, as LaTeX macros. SPDX-License-Identifier: MIT
-- needs: chosen.sql
WITH cell AS (SELECT status FROM results JOIN chosen USING (host, experiment) WHERE NOT probe),
newest AS (
    SELECT "commit", dirty FROM experiments e JOIN chosen c ON c.host = e.host AND c.experiment = e.name
    ORDER BY coalesce(measured_at, 0) = 0, c.host_ord, measured_at DESC LIMIT 1),
given AS (SELECT key, value FROM author),
-- The kinds of figures and tables that the report has, for the rules of reading.
kinds AS (
    SELECT name FROM tables JOIN chosen USING (host, experiment)
    UNION SELECT name FROM drawn JOIN chosen USING (host, experiment)),
-- The sources whose claims the report judges.
told AS (SELECT DISTINCT c.source FROM study s JOIN claims c
         ON c.source = s.source OR instr(' ' || c.studies || ' ', ' ' || s.experiment || ' ')),
-- What the report speaks of.
shown AS (SELECT r.* FROM described r JOIN chosen USING (host, experiment) WHERE r.counts AND NOT r.probe),
speaks AS (
    SELECT max(problem IN ('matmul', 'aat')) AS products, max(contract <> 'none' OR problem = 'lu') AS factorisations,
           max(solver) AS solvers, max(side = 'GPU' AND status = 'ok') AS gpu,
           max(vendor OR library IS NOT NULL) AS library, max(unit = 'memory') AS bytes,
           max(status = 'ok' AND variant GLOB '*/omp-*') AS openmp,
           max(status = 'ok' AND variant GLOB '*/cuda-*') AS cuda,
           max(status = 'ok' AND variant GLOB '*/opencl-*') AS opencl,
           max(status = 'ok' AND variant GLOB '*/sycl-*') AS sycl
    FROM shown)
SELECT (SELECT cpu FROM about WHERE ord = 0) AS cpuname,
       (SELECT gpu FROM about WHERE ord = 0) AS gpuname,
       (SELECT group_concat(name, '; ')
        FROM (SELECT translated(name) AS name, ord FROM about
              WHERE ord > 0 AND (SELECT count(*) FROM about WHERE ord > 0) <= 4
              UNION ALL
              SELECT iif(count(*) > 1, count(*) || ' × ', '') || coalesce(gpu, cpu, translated('another machine')),
                     min(ord)
              FROM about WHERE ord > 0 AND (SELECT count(*) FROM about WHERE ord > 0) > 4
              GROUP BY coalesce(gpu, cpu) ORDER BY 2)) AS recordedhosts,
       (SELECT count(*) FROM study) AS studycount,
       (SELECT count(*) FROM cell) AS cellcount,
       (SELECT count(*) FROM cell WHERE status = 'ok') AS okcount,
       (SELECT count(*) FROM cell WHERE status = 'skipped') AS skippedcount,
       (SELECT count(*) FROM cell WHERE status NOT IN ('ok', 'skipped', 'withdrawn')) AS failedcount,
       (SELECT nullif(count(*), 0) FROM cell WHERE status = 'withdrawn') AS withdrawncount,
       (SELECT nullif(count(*), 0) FROM faulty f
        WHERE EXISTS (SELECT 1 FROM results r JOIN chosen c USING (host, experiment)
                      WHERE r.host = f.host AND r.variant = f.variant)) AS faultycount,
       (SELECT 1 FROM chosen WHERE local LIMIT 1) AS hasthismachine,
       (SELECT 1 WHERE (SELECT count(*) FROM study) > 1 AND NOT EXISTS (SELECT 1 FROM chosen WHERE local))
           AS manyrecorded,
       (SELECT count(DISTINCT host) FROM chosen GROUP BY experiment HAVING count(DISTINCT host) > 2 LIMIT 1) AS isclass,
       (SELECT date(max(e.measured_at), 'unixepoch') FROM experiments e JOIN chosen c
        ON c.host = e.host AND c.experiment = e.name) AS measuredon,
       (SELECT substr("commit", 1, 12) FROM newest) AS commitname,
       (SELECT nullif(dirty, 0) FROM newest) AS commitchanged,
       (SELECT source FROM laboratory) AS laboratory,
       (SELECT nullif(products, 0) FROM speaks) AS showsproducts,
       (SELECT nullif(factorisations, 0) FROM speaks) AS showsfactorisations,
       (SELECT nullif(solvers, 0) FROM speaks) AS showssolvers, (SELECT nullif(gpu, 0) FROM speaks) AS showsgpu,
       (SELECT nullif(library, 0) FROM speaks) AS showslibrary,
       (SELECT nullif(bytes, 0) FROM speaks) AS showsbytes,
       (SELECT 1 FROM results JOIN chosen USING (host, experiment) WHERE energy_j IS NOT NULL LIMIT 1) AS showsenergy,
       (SELECT nullif(openmp, 0) FROM speaks) AS showsopenmp, (SELECT nullif(cuda, 0) FROM speaks) AS showscuda,
       (SELECT nullif(opencl, 0) FROM speaks) AS showsopencl, (SELECT nullif(sycl, 0) FROM speaks) AS showssycl,
       (SELECT 1 FROM kinds WHERE name IN ('conflicts', 'banks', 'lab5-5') LIMIT 1) AS showsbanks,
       (SELECT 1 FROM kinds WHERE name = 'conflicts') AS showsconflicts,
       (SELECT 1 FROM kinds WHERE name GLOB 'granular-[234]*' OR name IN ('lab5-1', 'seidel-counts') LIMIT 1)
           AS showssourcetimes,
       (SELECT 1 FROM kinds WHERE name GLOB 'lab5-*' LIMIT 1) AS showslaboratory,
       (SELECT 1 FROM kinds WHERE name = 'granular-gaps') AS showsgaps,
       (SELECT 1 FROM kinds WHERE name IN ('sweeps', 'racy') LIMIT 1) AS showssweeps,
       (SELECT 1 FROM kinds WHERE name GLOB '*-by-n' OR name GLOB 'lab5-[235]'
           OR name IN ('gpu-over-cpu', 'iso-granularity', 'share-of-peak') LIMIT 1) AS showscurves,
       (SELECT 1 FROM kinds WHERE name = 'roofline') AS showsroofline,
       (SELECT 1 FROM kinds WHERE name = 'timeline') AS showstimelines,
       (SELECT 1 FROM kinds WHERE name IN ('thread-speedup', 'iso-granularity') LIMIT 1) AS showsscaling,
       (SELECT 1 FROM kinds WHERE name = 'languages') AS showslanguages,
       (SELECT 1 FROM kinds WHERE name = 'ladder') AS showsladder,
       (SELECT 1 FROM kinds WHERE name IN ('best', 'frontier', 'lu-libraries') LIMIT 1) AS showsequals,
       (SELECT 1 FROM kinds WHERE name = 'thread-speedup') AS showsthreads,
       (SELECT 1 FROM kinds WHERE name = 'speed-by-tile') AS showstiles,
       (SELECT 1 FROM kinds WHERE name = 'bandwidth-by-size') AS showsbandwidths,
       (SELECT 1 FROM kinds WHERE name = 'sample-spread') AS showssamples,
       (SELECT 1 FROM kinds WHERE name = 'gpu-over-cpu') AS showscrossings,
       (SELECT nullif(count(*) > 1, 0) FROM study) AS showsmany,
       (SELECT 1 FROM results r JOIN chosen USING (host, experiment) WHERE r.status = 'ok'
        GROUP BY r.host HAVING count(DISTINCT r.machine) > 1 LIMIT 1) AS showsmachines,
       (SELECT 1 FROM results r JOIN chosen USING (host, experiment)
        WHERE r.stale AND r.status <> 'skipped' AND NOT r.probe LIMIT 1) AS showsstale,
       (SELECT 1 FROM told LIMIT 1) AS showspublished, (SELECT 1 FROM told WHERE source = 'granular') AS showsgranular,
       (SELECT 1 FROM told WHERE source = 'oneapi') AS showsoneapi,
       (SELECT 1 FROM told WHERE source = 'feup') AS showsfeup, (SELECT 1 FROM told WHERE source = 'lab5') AS showslab,
       (SELECT 1 FROM told WHERE source = 'opencl-notes') AS showslecture,
       (SELECT 1 FROM told WHERE source = 'he') AS showsarticle,
       (SELECT value FROM given WHERE key = 'title') AS giventitle,
       (SELECT value FROM given WHERE key = 'task') AS giventask,
       (SELECT value FROM given WHERE key = 'repository') AS givenrepository,
       (SELECT value FROM given WHERE key = 'name') AS givenname,
       (SELECT value FROM given WHERE key = 'group') AS givengroup,
       (SELECT value FROM given WHERE key = 'institution') AS giveninstitution,
       (SELECT value FROM given WHERE key = 'course') AS givencourse,
       (SELECT value FROM given WHERE key = 'supervisor') AS givensupervisor,
       (SELECT value FROM given WHERE key = 'city') AS givencity,
       (SELECT value FROM given WHERE key = 'year') AS givenyear,
       (SELECT group_concat(name || ': ' || cpu || coalesce(' × ' || cores, ''), '; ')
        FROM (SELECT iif(a.ord = 0, translated('this machine'), a.host) AS name,
                     replace(replace(a.cpu, '(R)', ''), '(TM)', '') AS cpu,
                     (SELECT value FROM machine m WHERE m.host = a.host AND m.key = 'machine.cores' LIMIT 1) AS cores
              FROM about a WHERE a.gpu IS NOT NULL AND a.cpu IS NOT NULL ORDER BY a.ord)) AS hostprocessors;
