-- Judges every row of the table `claims` on every host. data/published/README.md explains the columns of the table.
-- Results: `judged` has a row for each part of a claim on each host, `verdict` a row for each claim on each host.
-- `told` has what tables print of each claim on each host.
-- SPDX-License-Identifier: MIT

-- A quantity may name an axis: "best tile". `low` and `high` bound what the claim accepts. A number agrees with a
-- published one if it differs by at most the tolerance. A published ratio above 1 needs a ratio above 1.
CREATE TEMP TABLE claim AS
WITH read AS (
    SELECT rowid AS row, id, coalesce(part, '') AS part, studies, subject, coalesce(subject_at, '') AS subject_at,
           reference, coalesce(reference_at, '') AS reference_at, coalesce(match, '') AS match, points, relation,
           iif(substr(quantity, 1, 5) IN ('best ', 'trend'), substr(quantity, 1, 5),
               iif(quantity LIKE 'spread %', 'spread', quantity)) AS kind,
           substr(quantity, instr(quantity, ' ') + 1) AS axis, CAST(value AS REAL) AS value,
           nullif(absolute_on, '') AS absolute_on,
           CAST(coalesce("to", value) AS REAL) AS "to",
           coalesce(CAST(tolerance AS REAL), iif(relation IN ('=', 'in'), 0.25, 0)) AS tolerance,
           quantity LIKE '% ratio' OR quantity = 'speed-up' AS is_ratio
    FROM claims WHERE not_here IS NULL)
SELECT *, trim(kind) AS quantity,
       CASE WHEN relation IN ('<', '<=') THEN -1e999
            WHEN is_ratio AND value > 1 AND relation IN ('=', 'in') THEN max(1, value * (1 - tolerance))
            ELSE value * (1 - tolerance) END AS low,
       CASE WHEN relation IN ('>', '>=') THEN 1e999
            WHEN is_ratio AND "to" < 1 AND relation IN ('=', 'in') THEN min(1, "to" * (1 + tolerance))
            ELSE "to" * (1 + tolerance) END AS high
FROM read;

-- The cells that ran until they were finished, under the usual conditions or on inputs that a claim may name. `end_s`
-- includes the copies of a GPU. A cell that ran once has no interval, so that it gives no verdict.
CREATE TEMP TABLE rated AS
SELECT r.host, r.experiment, r.cell, r.variant, r.task, r.machine, r.settings, r.side,
       drop_axes(r.settings, 'threads') AS other, r.n, coalesce(r.threads, 1) AS threads, r.iterations,
       t.least AS least_iterations, t.most AS most_iterations,
       r.gflops, r.median_s AS s, r.ci_lo_s AS lo, r.ci_hi_s AS hi,
       w.end_s, w.end_lo_s, w.end_hi_s, r.flagged, r.weak, r.usual, coalesce(r.device, '') AS device,
       r.energy_j AS joules, e.low_j AS least_joules, e.high_j AS most_joules,
       p.executed AS rate, p.gflops AS peak,
       r.gflops * iif(r.precision = 'f64', 8, 4) AS loaded_gbs, p.gbs AS read_gbs
FROM cells r LEFT JOIN peaks p USING (host, experiment, cell) LEFT JOIN solves t USING (host, experiment, cell)
LEFT JOIN energies e USING (host, experiment, cell) JOIN totals w USING (host, experiment, cell)
WHERE r.sweeps IS NULL AND (r.usual OR r.conditions = 1 AND r.inputs IS NOT NULL)
  AND instr((SELECT ' ' || group_concat(studies, ' ') || ' ' FROM claim), ' ' || r.experiment || ' ');
CREATE INDEX rated_other ON rated(host, experiment, variant, other);

-- The speed-up of each cell over the same cell on one thread.
CREATE TEMP TABLE gained AS
SELECT r.*, o.s / r.s AS gain, o.lo / r.hi AS gain_lo, o.hi / r.lo AS gain_hi, o.flagged AS base_flagged,
       o.weak AS base_weak, o.cell AS base_cell
FROM rated r LEFT JOIN rated o ON o.host = r.host AND o.experiment = r.experiment AND o.variant = r.variant
  AND o.other = r.other AND o.machine = r.machine AND o.threads = 1;

-- The cells on both sides of a claim; role 1: its subject, 2: its reference. `key`: what the two sides share. Times of
-- two physical machines make no ratio; sweeps do. Other than uniform inputs belong only to a side that names them.
CREATE TEMP TABLE side AS
WITH part AS (
    SELECT row, 1 AS role, subject AS variants, subject_at AS conditions FROM claim
    UNION ALL
    SELECT row, 2, reference, reference_at FROM claim WHERE reference IS NOT NULL)
SELECT c.row, p.role, c.quantity, c.axis, trim(pick(g.settings, c.match) || ' ' || g.machine) AS pick,
       iif(c.quantity = 'iso rate ratio', g.n / g.threads, pick(g.settings, shape.axes)) || ' '
       || pick(g.settings, c.match) || iif(c.quantity = 'sweep ratio', '', ' ' || g.machine) AS key,
       CASE c.quantity WHEN 'end-to-end ratio' THEN g.end_s WHEN 'energy ratio' THEN g.joules ELSE g.s END AS time,
       substr(pick(g.settings, c.axis), length(c.axis) + 2) AS at, g.*
FROM claim c JOIN part p USING (row)
JOIN (SELECT group_concat(key, ' ') AS axes FROM axes WHERE role = 'shape') shape
JOIN gained g ON instr(' ' || c.studies || ' ', ' ' || g.experiment || ' ')
  AND matches(g.variant, p.variants) AND suits(g.settings || ' side=' || coalesce(g.side, ''), p.conditions)
WHERE (c.quantity <> 'iso rate ratio' OR g.n % g.threads = 0) AND (g.usual OR instr(' ' || p.conditions, ' inputs='))
  AND (c.quantity <> 'energy ratio' OR g.joules > 0);

-- Iso-granularity is judged at one ratio n / threads: of those that most thread counts have, at the largest.
DELETE FROM side WHERE quantity = 'iso rate ratio' AND n / threads <> (
    SELECT r.n / r.threads FROM rated r
    WHERE r.host = side.host AND r.experiment = side.experiment AND r.variant = side.variant AND r.n % r.threads = 0
    GROUP BY r.n / r.threads ORDER BY count(DISTINCT r.threads) DESC, r.n / r.threads DESC LIMIT 1);

-- A claim that compares absolute figures is judged on the device that its source measured, and on no other. This is so
-- for both sides, but a reference on the CPU is never on a device that is a GPU.
-- `elsewhere`: the host has cells of a side of the claim, and none on that device.
CREATE TEMP TABLE bound AS
SELECT s.rowid AS place, s.row, s.host, s.role, c.absolute_on,
       instr(lower(s.device), lower(c.absolute_on)) > 0 AS there
FROM side s JOIN claim c USING (row)
WHERE c.absolute_on IS NOT NULL
  AND (s.role = 1 OR s.side IN (SELECT o.side FROM side o WHERE o.row = s.row AND o.host = s.host AND o.role = 1));
CREATE TEMP TABLE elsewhere AS
SELECT DISTINCT row, host, absolute_on
FROM (SELECT * FROM bound GROUP BY row, host, role HAVING NOT max(there));
DELETE FROM side WHERE (row, host) IN (SELECT row, host FROM elsewhere);
DELETE FROM side WHERE rowid IN (SELECT place FROM bound WHERE NOT there);

-- The values that a condition lists between bars, and the value that a claim calls the best of its axis: each must have
-- been measured of every variant on one machine. A size at which one is missing does not count.
CREATE TEMP TABLE listed AS
WITH part AS (
    SELECT row, 1 AS role, subject_at AS conditions FROM claim UNION ALL SELECT row, 2, reference_at FROM claim),
condition AS (
    SELECT p.row, p.role, substr(w.value, 1, instr(w.value, '=') - 1) AS key,
           substr(w.value, instr(w.value, '=') + 1) AS list
    FROM part p, json_each('["' || replace(p.conditions, ' ', '","') || '"]') w
    WHERE instr(w.value, '|') AND NOT w.value GLOB '*[<>]*')
SELECT c.row, c.role, c.key, v.value AS value
FROM condition c, json_each('["' || replace(c.list, '|', '","') || '"]') v WHERE c.key <> 'side'
UNION SELECT row, 1, axis, printf('%g', value) FROM claim WHERE quantity = 'best';
CREATE TEMP TABLE gap AS
WITH valued AS (
    SELECT DISTINCT s.row, s.role, s.host, s.experiment, s.machine, s.variant, iif(l.key = 'n', NULL, s.n) AS n, l.key,
           substr(pick(s.settings, l.key), length(l.key) + 2) AS value
    FROM side s JOIN (SELECT DISTINCT row, role, key FROM listed) l USING (row, role))
SELECT DISTINCT a.row, a.role, a.host, a.experiment, a.machine, a.n,
       l.key || ' = ' || l.value || ' was not measured' AS reason
FROM (SELECT DISTINCT row, role, host, experiment, machine, variant, n, key FROM valued) a
JOIN listed l USING (row, role, key)
LEFT JOIN valued v ON v.row = a.row AND v.role = a.role AND v.host = a.host AND v.experiment = a.experiment
  AND v.machine = a.machine AND v.variant = a.variant AND v.n IS a.n AND v.key = a.key AND v.value = l.value
WHERE v.row IS NULL;
DELETE FROM side WHERE EXISTS (
    SELECT 1 FROM gap g WHERE g.row = side.row AND g.role = side.role AND g.host = side.host
      AND g.experiment = side.experiment AND g.machine = side.machine AND coalesce(g.n = side.n, 1));

-- Where several cells of a side share a key, the fastest counts.
CREATE TEMP TABLE fastest_side AS
SELECT *, min(time) AS least FROM side GROUP BY row, role, host, experiment, key;

-- Why the times behind a point of a claim give no verdict: one is flagged, or of too few rounds or launches. Sweeps and
-- counts need no times. `key`: the point's; NULL where it follows from all cells of the size.
CREATE TEMP TABLE weak_at AS
SELECT a.row, a.host, a.experiment, a.n, NULL AS key,
       max(coalesce(b.weak, iif(a.quantity LIKE 'speed-up%' OR a.quantity LIKE 'efficiency%', b.base_weak, NULL)))
         AS weak
FROM side a JOIN side b USING (row, host, experiment, n)
WHERE a.quantity IN ('best', 'spread', 'tile formula ratio')
GROUP BY 1, 2, 3, 4;
-- What follows from several sizes together needs all of their times: `n` is NULL.
INSERT INTO weak_at
SELECT row, host, experiment, NULL, NULL, max(coalesce(weak, iif(quantity = 'unsteadiness ratio', base_weak, NULL)))
FROM fastest_side
WHERE quantity IN ('trend', 'unsteadiness ratio', 'rate unsteadiness ratio', 'ratio trend', 'crossover')
GROUP BY row, host, experiment;
INSERT INTO weak_at
SELECT a.row, a.host, a.experiment, a.n, key,
       max(coalesce(b.weak, iif(a.quantity LIKE 'speed-up%' OR a.quantity LIKE 'efficiency%', b.base_weak, NULL)))
FROM fastest_side a JOIN fastest_side b USING (row, host, experiment, key)
WHERE a.quantity IN ('gflops', 'share of peak', 'load share', 'speed-up', 'efficiency', 'time ratio', 'speed ratio',
                     'end-to-end ratio', 'energy ratio', 'iso rate ratio', 'speed-up ratio', 'efficiency ratio')
GROUP BY 1, 2, 3, 4, 5;

-- ---- The points of a claim: a value with its interval. ----
CREATE TEMP TABLE point AS
-- Quantities of one cell. The flags of a time say nothing of a count of sweeps.
SELECT row, host, experiment, n,
       iif(quantity = 'sweeps', 0,
           all_flags(flagged, iif(quantity IN ('speed-up', 'efficiency'), base_flagged, NULL))) AS flagged,
       CASE quantity WHEN 'gflops' THEN gflops WHEN 'share of peak' THEN 100 * rate / peak
                     WHEN 'load share' THEN 100 * loaded_gbs / read_gbs WHEN 'sweeps' THEN iterations
                     WHEN 'speed-up' THEN gain ELSE gain / threads END AS x,
       CASE quantity WHEN 'gflops' THEN gflops * s / hi WHEN 'share of peak' THEN 100 * rate / peak * s / hi
                     WHEN 'load share' THEN 100 * loaded_gbs / read_gbs * s / hi
                     WHEN 'sweeps' THEN least_iterations WHEN 'speed-up' THEN gain_lo ELSE gain_lo / threads END AS lo,
       CASE quantity WHEN 'gflops' THEN gflops * s / lo WHEN 'share of peak' THEN 100 * rate / peak * s / lo
                     WHEN 'load share' THEN 100 * loaded_gbs / read_gbs * s / lo
                     WHEN 'sweeps' THEN most_iterations WHEN 'speed-up' THEN gain_hi ELSE gain_hi / threads END AS hi,
       key
FROM fastest_side
WHERE role = 1 AND quantity IN ('gflops', 'share of peak', 'load share', 'sweeps', 'speed-up', 'efficiency')
UNION ALL
-- Ratios of two cells. Where two speed-ups have the same time of one thread, it cancels.
SELECT a.row, a.host, a.experiment, max(a.n, b.n),
       iif(a.quantity = 'sweep ratio', 0, all_flags(a.flagged, b.flagged)),
       CASE a.quantity WHEN 'sweep ratio' THEN 1.0 * a.iterations / b.iterations
                       WHEN 'speed ratio' THEN b.s / a.s
                       WHEN 'energy ratio' THEN a.joules / b.joules
                       WHEN 'iso rate ratio' THEN a.gflops / b.gflops
                       WHEN 'speed-up ratio' THEN a.gain / b.gain
                       WHEN 'efficiency ratio' THEN a.gain / a.threads / (b.gain / b.threads)
                       ELSE a.time / b.time END,
       CASE a.quantity WHEN 'sweep ratio' THEN 1.0 * a.least_iterations / b.most_iterations
                       WHEN 'speed ratio' THEN b.lo / a.hi
                       WHEN 'energy ratio' THEN a.least_joules / b.most_joules
                       WHEN 'iso rate ratio' THEN a.gflops * a.s / a.hi / (b.gflops * b.s / b.lo)
                       WHEN 'speed-up ratio' THEN iif(a.base_cell = b.base_cell, b.lo / a.hi, a.gain_lo / b.gain_hi)
                       WHEN 'efficiency ratio'
                         THEN iif(a.base_cell = b.base_cell, b.lo / a.hi, a.gain_lo / b.gain_hi) * b.threads / a.threads
                       WHEN 'end-to-end ratio' THEN a.end_lo_s / b.end_hi_s ELSE a.lo / b.hi END,
       CASE a.quantity WHEN 'sweep ratio' THEN 1.0 * a.most_iterations / b.least_iterations
                       WHEN 'speed ratio' THEN b.hi / a.lo
                       WHEN 'energy ratio' THEN a.most_joules / b.least_joules
                       WHEN 'iso rate ratio' THEN a.gflops * a.s / a.lo / (b.gflops * b.s / b.hi)
                       WHEN 'speed-up ratio' THEN iif(a.base_cell = b.base_cell, b.hi / a.lo, a.gain_hi / b.gain_lo)
                       WHEN 'efficiency ratio'
                         THEN iif(a.base_cell = b.base_cell, b.hi / a.lo, a.gain_hi / b.gain_lo) * b.threads / a.threads
                       WHEN 'end-to-end ratio' THEN a.end_hi_s / b.end_lo_s ELSE a.hi / b.lo END,
       key
FROM fastest_side a JOIN fastest_side b USING (row, host, experiment, key)
WHERE a.role = 1 AND b.role = 2
  AND a.quantity IN ('time ratio', 'speed ratio', 'end-to-end ratio', 'energy ratio', 'sweep ratio',
                     'iso rate ratio', 'speed-up ratio', 'efficiency ratio');

-- The size from which on the subject is faster than the reference at every size. Its interval begins where the subject
-- may be faster from there on, as the intervals of the times overlap, and ends where it is faster without a doubt.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
WITH pair AS (
    SELECT a.row, a.host, a.experiment, a.n, all_flags(a.flagged, b.flagged) AS flagged,
           a.s < b.s AS faster, coalesce(a.lo < b.hi, 1) AS may_be, coalesce(a.hi < b.lo, 0) AS surely
    FROM fastest_side a JOIN fastest_side b USING (row, host, experiment, key)
    WHERE a.role = 1 AND b.role = 2 AND a.quantity = 'crossover'),
last AS ( -- the largest size at which it is not so
    SELECT row, host, experiment, max(n) AS n, all_flags(flagged) AS flagged, count(*) AS sizes,
           max(iif(faster, 0, n)) AS slower, max(iif(may_be, 0, n)) AS never, max(iif(surely, 0, n)) AS unsure
    FROM pair GROUP BY row, host, experiment)
SELECT l.row, l.host, l.experiment, l.n, l.flagged,
       (SELECT min(p.n) FROM pair p WHERE (p.row, p.host, p.experiment) = (l.row, l.host, l.experiment)
          AND p.n > l.slower),
       coalesce((SELECT min(p.n) FROM pair p WHERE (p.row, p.host, p.experiment) = (l.row, l.host, l.experiment)
          AND p.n > l.never), 1e999),
       coalesce((SELECT min(p.n) FROM pair p WHERE (p.row, p.host, p.experiment) = (l.row, l.host, l.experiment)
          AND p.n > l.unsure), 1e999)
FROM last l WHERE l.sizes > 1;

-- How a ratio of times changes: at the largest size over that at the smallest.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
WITH pair AS (
    SELECT a.row, a.host, a.experiment, a.pick, a.n, all_flags(a.flagged, b.flagged) AS flagged, a.s / b.s AS x,
           a.lo / b.hi AS lo, a.hi / b.lo AS hi
    FROM fastest_side a JOIN fastest_side b USING (row, host, experiment, key)
    WHERE a.role = 1 AND b.role = 2 AND a.quantity = 'ratio trend'),
first AS (SELECT *, min(n) FROM pair GROUP BY row, host, experiment, pick),
last AS (SELECT *, max(n) FROM pair GROUP BY row, host, experiment, pick)
SELECT l.row, l.host, l.experiment, l.n, all_flags(l.flagged, f.flagged), l.x / f.x, l.lo / f.hi, l.hi / f.lo
FROM last l JOIN first f USING (row, host, experiment, pick) WHERE l.n > f.n;

-- A trend: the rate at the axis' last value over the best rate. A trend needs three values.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
WITH at AS (
    SELECT row, host, experiment, pick, CAST(at AS REAL) AS at, n, flagged, max(gflops) AS rate,
           gflops * s / hi AS low, gflops * s / lo AS high
    FROM side WHERE quantity = 'trend' AND role = 1 GROUP BY row, host, experiment, pick, at),
best AS (SELECT *, max(rate) AS most, count(*) AS count FROM at GROUP BY row, host, experiment, pick),
last AS (SELECT *, max(at) AS end FROM at GROUP BY row, host, experiment, pick)
SELECT l.row, l.host, l.experiment, l.n, all_flags(l.flagged, b.flagged), l.rate / b.rate,
       iif(l.at = b.at, 1, l.low / b.high), iif(l.at = b.at, 1, min(1, l.high / b.low))
FROM last l JOIN best b USING (row, host, experiment, pick) WHERE b.count > 2;

-- Times over the values of an axis, at the largest size that has as many values as any size. A size whose times may
-- give a verdict comes before others, if it is at least a quarter of the largest.
CREATE TEMP TABLE over_axis AS
WITH at AS (
    SELECT row, quantity, host, experiment, task, CAST(at AS REAL) AS at, n, flagged, min(s) AS s, lo, hi
    FROM side WHERE quantity IN ('best', 'spread') AND role = 1 AND at <> ''
    GROUP BY row, host, experiment, task, at),
counted AS (SELECT row, host, experiment, task, n, count(*) AS count FROM at GROUP BY 1, 2, 3, 4),
sized AS (
    SELECT c.*, w.weak, is_large(c.n, max(c.n) OVER (PARTITION BY c.row, c.host, c.experiment)) AS large
    FROM counted c LEFT JOIN weak_at w USING (row, host, experiment, n)),
chosen AS (
    SELECT *, row_number() OVER (PARTITION BY row, host, experiment
                                 ORDER BY count DESC, NOT large, weak IS NOT NULL, n DESC) AS place FROM sized)
SELECT a.* FROM at a JOIN chosen c USING (row, host, experiment, task) WHERE c.place = 1 AND c.count > 1;

INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
SELECT f.row, f.host, f.experiment, f.n, all_flags(f.flagged, s.flagged), s.s / f.s, s.lo / f.hi, s.hi / f.lo
FROM (SELECT *, min(s) FROM over_axis WHERE quantity = 'spread' GROUP BY row, host, experiment) f
JOIN (SELECT *, max(s) FROM over_axis WHERE quantity = 'spread' GROUP BY row, host, experiment) s
  USING (row, host, experiment);

-- The best value of an axis. Values whose intervals overlap that of the fastest one may be the best too.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
SELECT f.row, f.host, f.experiment, f.n, all_flags(o.flagged), f.at, min(o.at), max(o.at)
FROM (SELECT *, min(s) FROM over_axis WHERE quantity = 'best' GROUP BY row, host, experiment) f
JOIN over_axis o ON o.row = f.row AND o.host = f.host AND o.experiment = f.experiment
  AND coalesce(o.lo <= f.hi, 1)
GROUP BY f.row, f.host, f.experiment;

-- How much a speed-up, or a rate, varies over n, as a share of its mean: the subject's variation over the reference's.
-- The interval of a variation reaches from the least distance to the greatest that the intervals of its values allow.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
WITH valued AS (
    SELECT *, iif(quantity = 'unsteadiness ratio', gain, gflops) AS x,
           iif(quantity = 'unsteadiness ratio', gain_lo, gflops * s / hi) AS least_x,
           iif(quantity = 'unsteadiness ratio', gain_hi, gflops * s / lo) AS most_x
    FROM fastest_side WHERE quantity IN ('unsteadiness ratio', 'rate unsteadiness ratio')),
varied AS (
    SELECT row, role, host, experiment, pick, max(n) AS n, all_flags(flagged) AS flagged, count(*) AS sizes,
           count(least_x) = count(*) AS has_interval, (max(x) - min(x)) / avg(x) AS variation,
           max(0, max(least_x) - min(most_x)) / avg(most_x) AS lo, (max(most_x) - min(least_x)) / avg(least_x) AS hi
    FROM valued WHERE x IS NOT NULL GROUP BY row, role, host, experiment, pick)
SELECT a.row, a.host, a.experiment, a.n, all_flags(a.flagged, b.flagged), a.variation / b.variation,
       iif(a.has_interval AND b.has_interval, a.lo / b.hi, NULL),
       iif(a.has_interval AND b.has_interval, iif(b.lo > 0, a.hi / b.lo, 1e999), NULL)
FROM varied a JOIN varied b USING (row, host, experiment, pick)
WHERE a.role = 1 AND b.role = 2 AND a.sizes > 2 AND b.sizes > 2;

-- The quantities that the bank model tells. Like the counted `reuse ratio`, they follow from the code of a variant.
CREATE TEMP TABLE banked(quantity TEXT PRIMARY KEY);
INSERT INTO banked VALUES ('bank conflicts'), ('wavefronts per load'), ('sectors per load'), ('read ratio'),
                          ('global reads'), ('shared reads');

-- The bank model needs no GPU: cells that were skipped have one too. Of a variant the largest n up to 1024 counts, or
-- its least n, since a larger model takes longer and tells the same.
CREATE TEMP TABLE model_size AS
SELECT host, experiment, variant, coalesce(max(iif(n <= 1024, n, NULL)), min(n)) AS n FROM results
GROUP BY host, experiment, variant;
CREATE INDEX model_size_of ON model_size(host, experiment, variant);

CREATE TEMP TABLE modelled AS
SELECT c.row, p.role, r.host, r.experiment, r.n, iif(r.precision = 'f64', 8, 4) AS element_bytes,
       known_model(r.variant, r.settings) AS model
FROM claim c JOIN (SELECT 1 AS role UNION ALL SELECT 2) p
JOIN results r ON matches(r.variant, iif(p.role = 1, c.subject, c.reference))
  AND suits(r.settings || ' side=' || coalesce(r.side, ''), iif(p.role = 1, c.subject_at, c.reference_at))
  AND instr(' ' || c.studies || ' ', ' ' || r.experiment || ' ')
WHERE c.quantity IN (SELECT quantity FROM banked) AND r.usual AND r.n = (
    SELECT z.n FROM model_size z
    WHERE z.host = r.host AND z.experiment = r.experiment AND z.variant = r.variant)
GROUP BY c.row, p.role, r.host, r.experiment;

CREATE TEMP TABLE modelled_site AS
SELECT m.row, m.role, m.host, m.experiment, m.n, m.element_bytes, s.value ->> '$.space' AS space,
       s.value ->> '$.direction' AS direction,
       s.value ->> '$.instructions' AS instructions, (s.value ->> '$.instructions') * (s.value ->> '$.width') AS bytes,
       1.0 * (s.value ->> '$.conflicts') / (s.value ->> '$.instructions') AS conflicts,
       1.0 * (s.value ->> '$.wavefronts') / (s.value ->> '$.instructions') / max(1, (s.value ->> '$.width') / 8)
         AS wavefronts,
       (s.value ->> '$.sectors') / (s.value ->> '$.instructions') / (1.0 * (s.value ->> '$.width')) AS spread
FROM modelled m, json_each(m.model, '$.sites') s;

-- 32 lanes need as many sectors of 32 bytes as an element has bytes, if they read neighbours.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
SELECT row, host, experiment, n, 0, x, x, x FROM (
    SELECT s.row, s.host, s.experiment, s.n, max(conflicts) AS x
    FROM modelled_site s JOIN claim c USING (row)
    WHERE c.quantity = 'bank conflicts' AND space = 'shared' AND direction = 'store' GROUP BY 1, 2, 3
    UNION ALL
    SELECT s.row, s.host, s.experiment, s.n, max(wavefronts)
    FROM modelled_site s JOIN claim c USING (row)
    WHERE c.quantity = 'wavefronts per load' AND space = 'shared' AND direction = 'load' GROUP BY 1, 2, 3
    UNION ALL
    SELECT s.row, s.host, s.experiment, s.n, max(1, max(spread))
    FROM modelled_site s JOIN claim c USING (row)
    WHERE c.quantity = 'sectors per load' AND space = 'global' AND direction = 'load' GROUP BY 1, 2, 3
    UNION ALL
    SELECT a.row, a.host, a.experiment, a.n, 1.0 * a.loads / b.loads
    FROM (SELECT row, host, experiment, n, sum(instructions) AS loads FROM modelled_site
          WHERE role = 1 AND space = 'global' AND direction = 'load' GROUP BY 1, 2, 3) a
    JOIN (SELECT row, host, experiment, sum(instructions) AS loads FROM modelled_site
          WHERE role = 2 AND space = 'global' AND direction = 'load' GROUP BY 1, 2, 3) b USING (row, host, experiment)
    JOIN claim c USING (row) WHERE c.quantity = 'read ratio'
    UNION ALL -- A product has 2 n^3 factors.
    SELECT s.row, s.host, s.experiment, s.n, sum(32.0 * s.bytes / s.element_bytes) / (2.0 * s.n * s.n * s.n)
    FROM modelled_site s JOIN claim c USING (row)
    WHERE c.quantity = s.space || ' reads' AND direction = 'load' GROUP BY 1, 2, 3);

-- What a block of side t saves, by counting: t rows of A, t columns of B and t rows of C in a cache make t^2 sums of n
-- products. The same cache filled with one row and 3 t - 1 columns makes 3 t - 1 sums. The count is the same on every
-- host.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
SELECT row, host, experiment, max(n), 0, x, x, x FROM (
    SELECT c.row, r.host, r.experiment, r.n, 1.0 * t.tile * t.tile / (3 * t.tile - 1) AS x
    FROM claim c JOIN (SELECT row, CAST(substr(subject_at, 6) AS INTEGER) AS tile FROM claim) t USING (row)
    JOIN results r ON matches(r.variant, c.subject) AND instr(' ' || c.studies || ' ', ' ' || r.experiment || ' ')
    WHERE c.quantity = 'reuse ratio' AND t.tile > 0)
GROUP BY row, host, experiment;

-- The formula t_global / tile + t_local of a tiled kernel's time. The time of the kernel without tiles is t_global. The
-- time at the smallest tile gives t_local, and the formula predicts the time at the largest tile. The point is the
-- predicted over the measured time.
INSERT INTO point(row, host, experiment, n, flagged, x, lo, hi)
WITH at AS (
    SELECT row, host, experiment, n, pick, CAST(substr(pick(settings, 'tile'), 6) AS REAL) AS tile, s, lo, hi, flagged
    FROM side WHERE quantity = 'tile formula ratio' AND role = 1),
plain AS (
    SELECT row, host, experiment, n, pick, min(s) AS s, lo, hi, flagged
    FROM side WHERE quantity = 'tile formula ratio' AND role = 2 GROUP BY row, host, experiment, n, pick),
small AS (SELECT *, min(tile) FROM at GROUP BY row, host, experiment, n, pick),
large AS (SELECT *, max(tile) FROM at GROUP BY row, host, experiment, n, pick)
SELECT l.row, l.host, l.experiment, l.n, all_flags(l.flagged, s.flagged, p.flagged),
       (s.s - p.s * (1 / s.tile - 1 / l.tile)) / l.s, (s.lo - p.hi * (1 / s.tile - 1 / l.tile)) / l.hi,
       (s.hi - p.lo * (1 / s.tile - 1 / l.tile)) / l.lo
FROM large l JOIN small s USING (row, host, experiment, n, pick) JOIN plain p USING (row, host, experiment, n, pick)
WHERE l.tile > s.tile;

-- ---- The verdicts. ----

-- holds: 1 yes, -1 no, 0: the interval lies on both sides of a bound. Of several studies the first with data counts.
-- `sure_n`: the largest size all of whose times may give a verdict.
CREATE TEMP TABLE held AS
WITH judged_point AS (
    SELECT p.*, c.points, c.relation, w.weak,
           p.lo IS NULL OR p.hi IS NULL AS lacks_interval,
           CASE WHEN w.weak IS NOT NULL OR p.lo IS NULL OR p.hi IS NULL THEN 0
                -- A count has no uncertainty: every run counts.
                WHEN c.quantity = 'sweeps' AND (p.lo < c.low OR p.hi > c.high) THEN -1
                -- Two sides that are the same are as fast as each other, and none is the faster one.
                WHEN c.is_ratio AND c.value = 1 AND c.relation IN ('<', '<=', '>', '>=')
                     AND verdict(p.x, p.lo, p.hi, NULL) = 'same' THEN iif(c.relation IN ('<=', '>='), 1, -1)
                WHEN c.relation = '<' AND p.hi < c.high OR c.relation = '>' AND p.lo > c.low THEN 1
                WHEN c.relation = '<' AND p.lo >= c.high OR c.relation = '>' AND p.hi <= c.low THEN -1
                WHEN c.relation NOT IN ('<', '>') AND p.lo >= c.low AND p.hi <= c.high THEN 1
                WHEN p.lo > c.high OR p.hi < c.low THEN -1 ELSE 0 END AS holds,
           dense_rank() OVER (PARTITION BY p.row, p.host
                              ORDER BY instr(' ' || c.studies || ' ', ' ' || p.experiment || ' ')) AS study,
           max(w.weak IS NOT NULL OR p.lo IS NULL OR p.hi IS NULL)
             OVER (PARTITION BY p.row, p.host, p.experiment, p.n) AS open,
           max(p.n) OVER (PARTITION BY p.row, p.host, p.experiment) AS most_n,
           min(p.x) OVER (PARTITION BY p.row, p.host, p.experiment) AS least_x
    FROM point p JOIN claim c USING (row)
    LEFT JOIN weak_at w ON w.row = p.row AND w.host = p.host AND w.experiment = p.experiment
      AND coalesce(w.n = p.n, 1) AND coalesce(w.key = p.key, 1)
    WHERE p.x IS NOT NULL OR c.quantity = 'crossover'),
chosen AS (
    SELECT *, max(iif(open, NULL, n)) OVER (PARTITION BY row, host, experiment) AS sure_n FROM judged_point)
SELECT * FROM chosen
WHERE study = 1 AND (points = 'every' OR points = 'least' AND x = least_x
                     OR points = 'largest' AND n = iif(4 * sure_n >= most_n, sure_n, most_n));

-- The claims of which a host has both sides, but on two physical machines.
CREATE TEMP TABLE apart AS
SELECT DISTINCT a.row, a.host FROM fastest_side a JOIN fastest_side b USING (row, host, experiment)
WHERE a.role = 1 AND b.role = 2 AND a.machine <> b.machine;

-- How many of its sides a host has measured of a claim.
CREATE TEMP TABLE measured_sides AS SELECT row, host, count(DISTINCT role) AS sides FROM side GROUP BY row, host;
CREATE TEMP TABLE first_gap AS SELECT row, host, min(reason) AS reason FROM gap GROUP BY row, host;

-- The verdict of each part. Where one point contradicts a claim, the claim is not reproduced. One that follows from the
-- code alone holds by the model: no machine has reproduced it.
CREATE TEMP TABLE judged AS
SELECT h.ord AS host_ord, h.host, c.row, c.id, coalesce(c.part, '') AS part, c.not_here, c.explained,
       CASE WHEN c.not_here IS NOT NULL THEN c.not_here
            WHEN e.row IS NOT NULL THEN 'absolute figures of ' || e.absolute_on
            WHEN count(p.row) AND min(p.holds) <> 0 THEN ''
            WHEN max(p.weak) = 'flagged'
            THEN iif(all_flags(p.flagged) & flag('once'), 'a single run', 'flagged')
            WHEN max(p.weak) IS NOT NULL THEN max(p.weak)
            WHEN max(p.lacks_interval) THEN 'no interval'
            WHEN count(p.row) THEN 'interval holds a bound'
            WHEN g.row IS NOT NULL THEN g.reason
            WHEN EXISTS (SELECT 1 FROM apart a WHERE a.row = c.row AND a.host = h.host) THEN 'measured on two machines'
            WHEN coalesce(m.sides, 0) < iif(c.reference IS NULL, 1, 2) THEN 'not measured on this host'
            WHEN c.quantity = 'share of peak' THEN 'the peak was not measured, or measured too low'
            ELSE 'too few cells were measured to compare' END AS reason,
       count(p.row) AS points,
       sum(p.holds = 1) AS holding, min(p.x) AS least, max(p.x) AS most, min(p.lo) AS lo, max(p.hi) AS hi,
       max(p.n) AS n, max(p.experiment) AS study, all_flags(p.flagged) AS flagged,
       CASE WHEN e.row IS NOT NULL THEN 'other hardware'
            WHEN count(p.row) = 0 THEN 'not comparable here'
            WHEN min(p.holds) = -1 THEN 'not reproduced'
            WHEN min(p.holds) = 0 THEN 'undecided'
            WHEN c.quantity = 'reuse ratio' OR c.quantity IN (SELECT quantity FROM banked) THEN 'by model'
            ELSE 'reproduced' END AS verdict
FROM (SELECT rowid AS row, id, part, quantity, nullif(reference, '') AS reference, not_here,
             nullif(explained, '') AS explained FROM claims) c CROSS JOIN hosts h
LEFT JOIN measured_sides m ON m.row = c.row AND m.host = h.host
LEFT JOIN elsewhere e ON e.row = c.row AND e.host = h.host
LEFT JOIN first_gap g ON g.row = c.row AND g.host = h.host
LEFT JOIN held p ON p.row = c.row AND p.host = h.host
GROUP BY h.host, c.row;

-- The verdict of each claim: that of its parts together. Parts that are not comparable here, or of absolute figures of
-- other hardware, do not count. A claim that
-- does not hold, or that no host can judge, is explained if a section of the report tells why (`section`, a study).
CREATE TEMP TABLE verdict AS
WITH together AS (
    SELECT host_ord, host, min(row) AS row, id, count(*) AS parts,
           sum(verdict NOT IN ('not comparable here', 'other hardware')) AS compared,
           sum(verdict IN ('reproduced', 'by model')) AS holding, all_flags(flagged) AS flagged,
           CASE WHEN sum(verdict = 'not reproduced') THEN 'not reproduced'
                WHEN sum(verdict = 'undecided') THEN 'undecided'
                WHEN sum(verdict = 'reproduced') THEN 'reproduced'
                WHEN sum(verdict = 'by model') THEN 'by model'
                WHEN sum(verdict = 'other hardware') THEN 'other hardware' ELSE 'not comparable here' END AS verdict,
           coalesce(max(iif(verdict = 'undecided', reason, NULL)),
                    max(iif(verdict = 'other hardware', reason, NULL)),
                    max(iif(verdict = 'not comparable here', reason, NULL)), '') AS reason,
           max(iif(verdict = 'not comparable here', not_here, NULL)) IS NOT NULL AS never, max(explained) AS section
    FROM judged GROUP BY host, id)
SELECT host_ord, host, row, id, parts, compared, holding, flagged,
       iif(section IS NOT NULL AND (verdict = 'not reproduced' OR verdict = 'not comparable here' AND never),
           'explained', verdict) AS verdict,
       iif(section IS NOT NULL AND (verdict = 'not reproduced' OR verdict = 'not comparable here' AND never),
           'see ' || section || iif(reason <> '' AND compared = 0, '; ' || reason, ''), reason) AS reason, section
FROM together;

-- What was published and what was measured, as texts. `measured` of a claim with several parts counts the parts that
-- hold, of those that could be compared, and the others. `unit` is that of `value`, with which `measured` begins.
-- Values of an axis and counts have no decimals if they are whole.
CREATE TEMP TABLE told AS
WITH counting AS (
    SELECT j.*, c.quantity LIKE 'best %'
           OR c.quantity IN ('crossover', 'sweeps') OR c.quantity IN (SELECT quantity FROM banked) AS counts
    FROM judged j JOIN claims c ON c.rowid = j.row),
printed AS (
    SELECT row, host, points, holding,
           iif(counts AND least = round(least), printf('%d', least), sig(least, 3)) AS least,
           iif(counts AND most = round(most), printf('%d', most), sig(most, 3)) AS most,
           iif(counts AND lo = round(lo), printf('%d', lo), sig(lo, 3)) AS lo,
           iif(counts AND hi = round(hi), printf('%d', hi), sig(hi, 3)) AS hi,
           lo < hi AND lo > 0 AND hi < 1e300 AS has_interval
    FROM counting)
SELECT *, value || rest AS measured FROM (
    SELECT v.host, v.id,
           CASE WHEN c.unit = 'N' THEN 'N = ' || c.published
                WHEN c.unit IN ('x', '%') OR c.published NOT GLOB '*[a-z>]*'
                  THEN c.published || coalesce(' ' || c.unit, '')
                ELSE coalesce(c.published, c.unit) END AS published,
           CASE WHEN v.compared = 0 THEN NULL
                WHEN v.parts > 1 THEN v.holding || ' of ' || v.compared || ' parts'
                WHEN p.points > 1 THEN p.least || iif(p.most <> p.least, '..' || p.most, '')
                ELSE p.least || iif(p.has_interval, ' [' || p.lo || ', ' || p.hi || ']', '') END AS value,
           CASE WHEN v.parts > 1 THEN NULL
                WHEN c.quantity LIKE '% ratio' OR c.quantity = 'speed-up' THEN 'x'
                WHEN c.quantity IN ('share of peak', 'load share') THEN '%'
                WHEN c.quantity = 'gflops' THEN 'GFLOP/s' END AS unit,
           CASE WHEN v.parts > 1
                THEN iif(v.compared < v.parts, ', ' || (v.parts - v.compared) || ' not compared', '')
                ELSE iif(p.points > 1, ', ' || p.holding || ' of ' || p.points, '') END
           -- A ratio of times has the flag of the power limit where both of its sides were there.
           || iif(v.parts = 1 AND c.quantity IN ('time ratio', 'speed ratio', 'end-to-end ratio', 'iso rate ratio')
                  AND v.flagged & flag('capped'), ', both at '
                  || coalesce((SELECT max(CAST(m.value AS INTEGER)) || ' W' FROM machine m
                               WHERE m.host = v.host AND m.key = 'gpu.power_limit_w'), 'the power limit'), '') AS rest,
           (SELECT max(o.n) FROM judged o WHERE o.host = v.host AND o.id = v.id) AS n
    FROM verdict v JOIN claims c ON c.rowid = v.row JOIN printed p ON p.row = v.row AND p.host = v.host);
