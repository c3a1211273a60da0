-- How far the times of one cell lie apart where the cell was measured again: in another launch of its run, in another
-- run, or on another machine of the kind. It counts for the chosen studies if report/chosen.sql ran before this file,
-- else for all. `again` has a row for each pair of times, `spread` one for each kind of pair. The study `smoke` is left
-- out, as it checks results and not speed; so are simulated times. SPDX-License-Identifier: MIT
CREATE TEMP TABLE IF NOT EXISTS chosen AS SELECT DISTINCT host, experiment FROM results;

-- The times that count. Two times are of one cell if variant, settings, source and library are the same.
--   settings  the axes, without m and k where they are n
--   device    GPU, or how many of a CPU's threads the cell uses; a backend that drives a CPU as a device uses all
--   processor its name, which tells the kinds of GPUs apart; of CPUs only the hash of the machine does
--   mark      the physical machine; NULL: the row does not tell it
--   flagged   the flags of the time, as marked() takes them
--   shown     1: the table `samples` has the samples of this time
CREATE TEMP TABLE taken AS
WITH every AS (
    SELECT host, experiment, cell, problem, variant, backend, device, side, settings, square, counts, threads, ranks,
           status, flags, median_s, ci_lo_s, ci_hi_s, source_hash, library_hash, machine_hash, machine_mark, flagged,
           1 AS shown
    FROM results
    UNION ALL
    SELECT host, experiment, cell, problem, variant, backend, device, side, settings, square, counts, threads, ranks,
           status, flags, median_s, ci_lo_s, ci_hi_s, source_hash, library_hash, machine_hash, machine_mark, flagged, 0
    FROM archive a
    WHERE NOT EXISTS (SELECT 1 FROM faulty f WHERE f.host = a.host AND f.variant = a.variant
                        AND f.source_hash IS a.source_hash AND f.library_hash IS a.library_hash)),
recorded AS (
    SELECT host, experiment, max(CAST(value AS INTEGER)) AS cores FROM machine WHERE key = 'machine.cores'
    GROUP BY host, experiment),
placed AS (
    SELECT e.*, coalesce(threads, 1) * coalesce(ranks, 1) AS used, b.kind IS 'any' AS whole,
           coalesce(c.cores, max(coalesce(threads, 1) * coalesce(ranks, 1)) OVER (PARTITION BY host, machine_hash))
             AS cores
    FROM every e JOIN chosen USING (host, experiment) LEFT JOIN recorded c USING (host, experiment)
    LEFT JOIN backends b ON b.name = e.backend
    WHERE e.status = 'ok' AND e.median_s > 0 AND e.counts
      AND instr(coalesce(e.flags, ''), 'simulated') = 0)
SELECT host, experiment, cell, variant, source_hash, library_hash, median_s, ci_lo_s, ci_hi_s, flagged, shown,
       iif(square, drop_axes(settings, 'm k'), settings) AS settings,
       problem IN (SELECT name FROM problems WHERE probe) AS probe,
       CASE WHEN side = 'GPU' THEN 'GPU' WHEN whole OR used > 1 AND used >= cores THEN 'CPU, all threads'
            ELSE 'CPU, few threads' END AS device,
       device AS processor, machine_hash, nullif(machine_mark, '') AS mark
FROM placed;
CREATE INDEX taken_cell ON taken(variant, settings);
CREATE INDEX taken_of ON taken(host, experiment, cell);

-- The pairs. `host`: the data folder of both times; NULL: they are in two folders, of which neither copies the other.
--   place  launch: another launch of the same run. Another run: `same`, on the same physical machine; `other`, on
--          another one; `unknown`, a row does not tell its machine
--   x      the slower time over the faster one
--   apart  1: the intervals do not overlap; NULL: a time has no interval, as of one round
CREATE TEMP TABLE again AS
WITH launched AS (
    SELECT t.rowid AS result, s.launch, median(s.time_s) AS median_s,
           iif(count(*) > 1, min(s.time_s), NULL) AS ci_lo_s, iif(count(*) > 1, max(s.time_s), NULL) AS ci_hi_s
    FROM (SELECT host, experiment, cell, launch, median(kernel_s) AS time_s FROM samples WHERE kernel_s IS NOT NULL
          GROUP BY host, experiment, cell, launch, round) s
    JOIN taken t ON t.host = s.host AND t.experiment = s.experiment AND t.cell = s.cell AND t.shown
    GROUP BY t.rowid, s.launch),
pair AS (
    SELECT a.rowid AS one, b.rowid AS two, a.median_s AS a_s, a.ci_lo_s AS a_lo, a.ci_hi_s AS a_hi, b.median_s AS b_s,
           b.ci_lo_s AS b_lo, b.ci_hi_s AS b_hi,
           CASE WHEN a.mark = b.mark THEN 'same' WHEN a.mark <> b.mark THEN 'other' ELSE 'unknown' END AS place
    FROM taken a JOIN taken b ON b.variant = a.variant AND b.settings = a.settings AND b.rowid > a.rowid
      AND b.source_hash IS a.source_hash AND b.library_hash IS a.library_hash
    WHERE b.processor IS a.processor
      AND (a.device = 'GPU' OR b.machine_hash IS a.machine_hash OR b.mark = a.mark)
      AND NOT (b.host <> a.host AND b.cell = a.cell AND b.median_s = a.median_s AND b.ci_lo_s IS a.ci_lo_s
               AND b.ci_hi_s IS a.ci_hi_s)
    UNION ALL
    SELECT a.result, a.result, a.median_s, a.ci_lo_s, a.ci_hi_s, b.median_s, b.ci_lo_s, b.ci_hi_s, 'launch'
    FROM launched a JOIN launched b ON b.result = a.result AND b.launch > a.launch)
SELECT iif(a.host = b.host, a.host, NULL) AS host, a.variant, a.settings, a.device, a.probe, p.place,
       a.experiment, b.experiment AS other, a_s, b_s, max(a_s, b_s) / min(a_s, b_s) AS x,
       a_lo > b_hi OR b_lo > a_hi AS apart, all_flags(a.flagged, b.flagged) & ~flag('stale') AS flagged
FROM pair p JOIN taken a ON a.rowid = p.one JOIN taken b ON b.rowid = p.two;

-- The distribution of `x`. The place `run` stands for all pairs of different runs together.
--   cells      how many cells the pairs are of
--   p75, p90   percentiles, interpolated between the two nearest pairs; `enough`: there are pairs enough for them
--   flagged    the flags of the pair of the largest ratio; the age of its code is none here
--   above      share of the pairs whose times differ by more than a tenth
--   apart      share of the pairs with two intervals whose intervals do not overlap; `intervals`: how many these are
--   parts      in how many places there are pairs of different runs
CREATE TEMP TABLE spread AS
WITH sorted AS (
    SELECT *, row_number() OVER (class ORDER BY x) - 1 AS at, count(*) OVER class - 1 AS last
    FROM (SELECT * FROM again
          UNION ALL
          SELECT host, variant, settings, device, probe, 'run', experiment, other, a_s, b_s, x, apart, flagged
          FROM again WHERE place <> 'launch')
    WINDOW class AS (PARTITION BY host, device, probe, place))
SELECT host, device, probe, place, count(DISTINCT variant || ' ' || settings) AS cells, count(*) AS pairs,
       median(x) AS median, sum(x * max(0, 1 - abs(at - 0.75 * last))) AS p75,
       sum(x * max(0, 1 - abs(at - 0.9 * last))) AS p90, count(*) >= 10 AS enough, max(x) AS largest, flagged,
       avg(x > 1.1) AS above, avg(apart) AS apart,
       count(apart) AS intervals,
       (SELECT count(DISTINCT place) FROM again o WHERE o.host IS sorted.host AND o.device = sorted.device
          AND o.probe = sorted.probe AND o.place <> 'launch') AS parts
FROM sorted GROUP BY host, device, probe, place;

-- What tables print: names for the reader, in the order of the rows. A place that is the only one needs no sum.
CREATE TEMP VIEW measured_again AS
SELECT s.*, h.ord, iif(s.probe, 'probes', 'kernels') AS work,
       CASE s.place WHEN 'launch' THEN 'another launch' WHEN 'run' THEN 'another run'
                    WHEN 'same' THEN 'another run, same machine' WHEN 'other' THEN 'another run, other machine'
                    ELSE 'another run, machine not recorded' END AS measured_in,
       row_number() OVER (ORDER BY h.ord IS NULL, h.ord, s.probe, s.device = 'GPU', s.device = 'CPU, all threads',
                                   instr('launch run same other unknown', s.place)) AS row
FROM spread s LEFT JOIN hosts h USING (host) WHERE s.place <> 'run' OR s.parts > 1;
