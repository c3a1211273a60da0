-- Compares cells that were measured side by side: two variants in the same rounds, or two revisions in turn.
-- Parameters: :subject and :base, two variants of one host, and :cells, the cells to compare. Or :subject is empty: the
-- hosts are then launches of two revisions, a launch of the base before a launch of the other one, and so on.
-- Results: `pair` has a row for each comparison, `alone` a row for each cell that has no partner or no time, `mean` a
-- row for each geometric mean over sizes, `alarms` one row. SPDX-License-Identifier: MIT
-- needs: compare-called.sql

-- `side`: 1 for the subject, 0 for the base. `first_launch`: how many launches of the side come before the row's.
CREATE TEMP TABLE shown AS
SELECT iif(:subject IS NULL, turn % 2, variant = :subject) AS side,
       iif(:subject IS NULL, turn / 2, 0) AS first_launch, host, experiment, cell, variant, problem, precision, n,
       threads, square, settings, status, reason, backend IN ('cpu', 'blas') AND coalesce(threads, 1) = 1 AS serial
FROM results JOIN (SELECT host, row_number() OVER (ORDER BY ord) - 1 AS turn FROM hosts) USING (host)
WHERE NOT probe AND (:subject IS NULL OR variant IN (:subject, :base) AND instr(:cells, cell));

-- What the reader is told of a cell. `tuning`: of the other axes; the build only where cells differ in it.
CREATE TEMP TABLE silent AS
SELECT group_concat(key, ' ') AS axes FROM axes
WHERE role = 'shape' AND key IN ('precision', 'm', 'n', 'k') OR key = 'threads'
   OR role = 'build' AND (SELECT count(DISTINCT pick(settings, key)) FROM shown) < 2;
CREATE TEMP VIEW named AS
SELECT *, precision || iif(square, ', n = ' || n, ', ' || replace(pick(settings, 'm n k'), ' ', ', ')) ||
       coalesce(', ' || threads || iif(threads = 1, ' thread', ' threads'), '') AS told,
       drop_axes(settings, (SELECT axes FROM silent)) AS tuning
FROM shown;

-- Two variants match where the axes that both have are equal; a cell of two revisions matches itself.
CREATE TEMP TABLE common AS
WITH axis AS (
    SELECT DISTINCT s.side, a.key FROM shown s JOIN axes a ON pick(s.settings, a.key) <> '')
SELECT coalesce(group_concat(key, ' '), '') AS axes
FROM (SELECT key FROM axis GROUP BY key HAVING count(*) = (SELECT count(DISTINCT side) FROM shown));

CREATE TEMP TABLE couple AS
SELECT DISTINCT a.experiment, a.cell, b.cell AS base_cell, a.variant, b.variant AS base, a.n, a.told,
       trim(a.tuning || ' ' || drop_axes(b.tuning, (SELECT axes FROM common))) AS tuning, a.settings
FROM named a JOIN named b ON b.side = 0 AND b.experiment = a.experiment AND b.problem = a.problem
  AND iif(:subject IS NULL, b.cell = a.cell,
          pick(b.settings, (SELECT axes FROM common)) = pick(a.settings, (SELECT axes FROM common)))
WHERE a.side = 1;

-- Only what every launch of a cell has verified is compared.
CREATE TEMP TABLE failed AS
SELECT side, experiment, cell, min(status || coalesce(': ' || nullif(reason, ''), '')) AS why FROM shown
WHERE status <> 'ok' GROUP BY side, experiment, cell;

-- Other programs only add to a time, so that the shortest sample of a launch is the least disturbed one. Where one
-- thread computes, its processor time leaves out the time in which another program had the core. A variant without the
-- axis may make threads of its own, which spend more processor time than passes.
CREATE TEMP TABLE launch_time AS
SELECT c.side, c.experiment, c.cell, c.first_launch + s.launch AS launch,
       min(iif(c.serial AND s.cpu_s > 0, min(s.cpu_s, s.kernel_s), s.kernel_s)) AS s
FROM shown c JOIN samples s ON s.host = c.host AND s.experiment = c.experiment AND s.cell = c.cell
WHERE (c.side, c.experiment, c.cell) NOT IN (SELECT side, experiment, cell FROM failed) AND s.kernel_s > 0
GROUP BY c.side, c.experiment, c.cell, 4;
CREATE INDEX launch_time_of ON launch_time(experiment, cell, side, launch);

-- A launch gives one ratio, as only launches are independent. `series`: what differs in nothing but the size.
CREATE TEMP TABLE launch_pair AS
SELECT c.*, a.launch, a.s, b.s AS base_s,
       dense_rank() OVER (ORDER BY c.experiment, c.variant, c.base, drop_axes(c.settings, 'm n k'), c.tuning) AS series
FROM couple c
JOIN launch_time a ON a.experiment = c.experiment AND a.cell = c.cell AND a.side = 1
JOIN launch_time b ON b.experiment = c.experiment AND b.cell = c.base_cell AND b.side = 0 AND b.launch = a.launch;

-- On what terms both sides computed: at the same power limit, each at the clock that it has there; or one side at a
-- clock that it lost without reaching the limit, so that the ratio is not one of the code.
CREATE TEMP TABLE side_terms AS
SELECT s.side, s.experiment, s.cell, min(t.capped) AS capped, max(t.limit_w) AS limit_w, median(t.clock_hz) AS clock_hz
FROM shown s JOIN terms t USING (host, experiment, cell) GROUP BY s.side, s.experiment, s.cell;
CREATE TEMP TABLE couple_terms AS
SELECT c.experiment, c.cell, c.base_cell,
       iif(a.capped AND b.capped, 'both at ' || coalesce(a.limit_w || ' W', 'the power limit'), NULL) AS equal,
       iif((a.clock_hz < 0.95 * b.clock_hz AND NOT a.capped) OR (b.clock_hz < 0.95 * a.clock_hz AND NOT b.capped),
           'clocks of ' || si(a.clock_hz, 'Hz') || ' and ' || si(b.clock_hz, 'Hz'), NULL) AS lost
FROM couple c
JOIN side_terms a ON a.side = 1 AND a.experiment = c.experiment AND a.cell = c.cell
JOIN side_terms b ON b.side = 0 AND b.experiment = c.experiment AND b.cell = c.base_cell;

CREATE TEMP TABLE judged AS
WITH averaged AS (
    SELECT experiment, cell, base_cell, variant, base, n, told, tuning, settings, count(*) AS launches,
           median(s) AS s, median(base_s) AS base_s, launch_ratio(base_s / s) AS json
    FROM launch_pair GROUP BY experiment, cell, base_cell)
SELECT experiment, cell, base_cell, variant, base, n, told, tuning, settings, launches, s, base_s,
       json ->> '$.ratio' AS speedup, json ->> '$.low' AS low, json ->> '$.high' AS high,
       iif(launches < min_launches(), NULL, json ->> '$.p') AS p,
       verdict(json ->> '$.ratio', json ->> '$.low', json ->> '$.high',
               iif(launches < min_launches(), 'few', lost)) AS judgement, equal, lost
FROM averaged LEFT JOIN couple_terms USING (experiment, cell, base_cell);

CREATE TEMP TABLE pair AS
SELECT experiment, cell, base_cell, variant, base, n, told || iif(tuning = '', '', ', ' || replace(tuning, ' ', ', '))
         AS told, tuning, settings, launches, s, base_s, speedup, low, high, p,
       verdict, alone,
       nullif(ltrim(coalesce(', ' || alone || ' if compared alone', '')
              || coalesce(', ' || equal, '') || coalesce(', ' || lost, '')
              || iif(launches < min_launches(), ', ' || launches || iif(launches = 1, ' launch', ' launches'), ''),
                    ', '), '') AS remark
FROM called;

-- A cell whose partner failed is not told: the partner is. `regressed`: of the subject, where the base has a correct
-- result.
CREATE TEMP TABLE alone AS
SELECT s.side, s.variant, s.told || iif(s.tuning = '', '', ', ' || replace(s.tuning, ' ', ', ')) AS told, s.n,
       coalesce(f.why, iif(c.cell IS NULL, 'no partner', 'no launch in common with its partner; use --again')) AS why,
       coalesce(f.why NOT LIKE 'skipped%', 0) AS fault,
       max(s.side AND f.why NOT LIKE 'skipped%' AND c.cell IS NOT NULL AND o.cell IS NULL) AS regressed
FROM named s
LEFT JOIN failed f ON f.side = s.side AND f.experiment = s.experiment AND f.cell = s.cell
LEFT JOIN couple c ON c.experiment = s.experiment AND s.cell = iif(s.side, c.cell, c.base_cell)
LEFT JOIN failed o ON o.experiment = s.experiment AND o.side = NOT s.side AND o.cell = iif(s.side, c.base_cell, c.cell)
WHERE NOT EXISTS (SELECT 1 FROM pair p WHERE p.experiment = s.experiment AND s.cell = iif(s.side, p.cell, p.base_cell))
  AND (f.cell IS NOT NULL OR o.cell IS NULL)
GROUP BY 1, 2, 3, 4, 5, 6;

-- Geometric means over the sizes of a series. A launch that has all sizes gives one mean, so that the interval tells
-- how far launches differ, and not how far sizes do.
CREATE TEMP TABLE mean AS
WITH whole AS (
    SELECT series, variant, base, pick(settings, 'precision threads') AS place, tuning, min(n) AS least, max(n) AS most,
           count(DISTINCT n) AS sizes, count(DISTINCT cell || ' ' || base_cell) AS pairs
    FROM launch_pair GROUP BY series),
launch_mean AS (
    SELECT series, count(*) AS pairs, mean_ratio(base_s / s) ->> '$.ratio' AS ratio
    FROM launch_pair GROUP BY series, launch),
averaged AS (
    SELECT whole.*, launch_ratio(ratio) AS json FROM whole JOIN launch_mean USING (series, pairs)
    WHERE sizes > 1 GROUP BY series)
SELECT variant, base, trim(place || ' ' || tuning) AS rest, sizes, least, most, json ->> '$.ratio' AS speedup,
       json ->> '$.low' AS low, json ->> '$.high' AS high
FROM averaged;
