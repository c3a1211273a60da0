-- What `tilelab show` prints of one study. The program has made the table `kept`: the columns of results.csv,
-- `settings` and `stale`, and `listed`, which is 1 for a row of results.csv and 0 for a row of archive.csv.
-- Parameters: :folder, :study. :orphaned, if it has a value: also the newest row of each cell that results.csv lacks.
-- :generations, if it has a value: all rows. Results: `shown` has the rows, `head` and `foot` the lines above and below
-- the tables, `shown_columns` the columns of a table that the rows differ in, `steps` the rows for --generations.
-- SPDX-License-Identifier: MIT

-- The rows themselves tell of a wrong variant, so a withdrawn time (report/withdrawn.sql) is shown with a remark.
UPDATE kept SET status = 'ok', reason = NULL WHERE status = 'withdrawn';

-- `ok`: the row has a time. `ran`: it was not skipped. `marks`: the letters of its flags. `time` has four significant
-- digits and a unit, `interval` the same digits and unit, `rate` four significant digits: GFLOP/s, or where memory
-- bounds the variant `bandwidth` in GB/s, with its `share` of the measured read bandwidth in per cent. The columns
-- `from_...` say where the number comes from.
CREATE TEMP TABLE shown AS
WITH ranked AS (
    SELECT *, rowid AS ord, row_number() OVER (PARTITION BY cell ORDER BY listed DESC, generation DESC, rowid) AS place,
           status = 'ok' AS ok, status <> 'skipped' AS ran, '+' || coalesce(flags, '') || '+' AS flag_list
    FROM kept),
sized AS (
    SELECT *, CASE WHEN abs(median_s) >= 1 THEN 1e0 WHEN abs(median_s) * 1e3 >= 1 THEN 1e3
                   WHEN abs(median_s) * 1e6 >= 1 THEN 1e6 ELSE 1e9 END AS scale,
           instr(flag_list, '+simulated+') > 0 AS simulated,
           coalesce((SELECT f.unit FROM variant_facts f WHERE f.variant = ranked.variant LIMIT 1), 'fma') = 'memory'
             AS by_bytes,
           (SELECT p.gbs FROM peaks p WHERE p.cell = ranked.cell) AS read_gbs,
           (SELECT group_concat(mark, '') FROM (SELECT mark FROM marks WHERE instr(flag_list, '+' || name || '+')
                                                ORDER BY ord)) AS marks
    FROM ranked WHERE listed OR :generations IS NOT NULL OR (:orphaned IS NOT NULL AND place = 1)),
counted AS (
    SELECT *, CASE scale WHEN 1e0 THEN 's' WHEN 1e3 THEN 'ms' WHEN 1e6 THEN 'us' ELSE 'ns' END AS unit,
           coalesce(max(0, min(4, 3 - floor(log10(abs(median_s * scale))))), 4) AS decimals,
           coalesce(max(0, min(4, 3 - floor(log10(abs(iif(by_bytes, gbs, gflops)))))), 4) AS rate_decimals
    FROM sized)
SELECT *, iif(median_s IS NULL, NULL, printf('%.*f %-2s', decimals, median_s * scale, unit) || coalesce(marks, ''))
           AS time,
       iif(ci_lo_s IS NULL OR ci_hi_s IS NULL, NULL,
           printf('%.*f .. %.*f', decimals, ci_lo_s * scale, decimals, ci_hi_s * scale)) AS interval,
       iif(by_bytes OR gflops IS NULL, NULL, printf('%.*f', rate_decimals, gflops)) AS rate,
       iif(by_bytes, printf('%.*f', rate_decimals, gbs), NULL) AS bandwidth,
       iif(by_bytes AND listed AND gbs <= read_gbs, printf('%.1f', 100 * gbs / read_gbs), NULL) AS share,
       iif(ran, coalesce(profile, (SELECT profile FROM experiments)), NULL) AS from_profile,
       iif(ran, coalesce(nullif(generation, 0), 1), NULL) AS from_generation,
       CASE WHEN ran THEN CASE stale WHEN 0 THEN 'current' WHEN 1 THEN 'changed since' ELSE 'unknown' END END
           AS from_source,
       CASE WHEN ran THEN iif(simulated, 'simulated', 'real') END AS from_clock,
       iif(ok AND EXISTS (SELECT 1 FROM faulty f WHERE f.variant = counted.variant
                          AND f.source_hash IS counted.source_hash AND f.library_hash IS counted.library_hash),
           'withdrawn', NULL) AS withdrawn
FROM counted ORDER BY ord;

-- The columns of a table that some rows have another value in: axes, then where the numbers come from. The size, the
-- tile and the threads are always columns; m and k are none where they are n. An axis that all rows share, and an
-- origin, are told once above the table.
CREATE TEMP TABLE shown_axes AS
WITH value AS (
    SELECT a.ord, a.axis, a.key, nullif(substr(pick(settings, key), length(key) + 2), '') AS value, s.n
    FROM axes a CROSS JOIN shown s)
SELECT ord, axis, key, max(value) AS value,
       count(DISTINCT value) > 1 OR axis IN ('n', 'tile', 'threads') AS is_column
FROM value GROUP BY ord, axis, key
HAVING count(value) > 0 AND (axis NOT IN ('m', 'k') OR total(CAST(value AS INTEGER) <> n) > 0);

CREATE TEMP TABLE shown_origins AS
WITH origin AS (
    SELECT 1 AS ord, 'profile' AS name, from_profile AS value FROM shown WHERE ran
    UNION ALL SELECT 2, 'generation', from_generation FROM shown WHERE ran
    UNION ALL SELECT 3, 'source', from_source FROM shown WHERE ran
    UNION ALL SELECT 4, 'clock', from_clock FROM shown WHERE ran)
SELECT ord, name, max(value) AS value, count(DISTINCT coalesce(value, '')) > 1 AS is_column
FROM origin GROUP BY ord, name;

-- As the list of a SELECT, with a comma in front of each column.
CREATE TEMP TABLE shown_columns AS
SELECT (SELECT group_concat(printf(', exact("%w") AS "%w"', axis, key), '')
        FROM (SELECT * FROM shown_axes WHERE is_column ORDER BY ord)) AS axes,
       (SELECT group_concat(printf(', from_%s AS %s', name, name), '')
        FROM (SELECT * FROM shown_origins WHERE is_column ORDER BY ord)) AS origins;

CREATE TEMP TABLE head AS
SELECT 1 AS ord, :study || ' in ' || :folder || ': '
    || iif(:generations IS NULL, count(*) || ' cells, ' || coalesce(sum(ok), 0) || ' ok, '
           || coalesce(sum(NOT ok), 0) || ' without a time',
           'cells with results of several generations: '
           || (SELECT count(*) FROM (SELECT 1 FROM shown WHERE ran GROUP BY cell HAVING count(*) > 1))) AS line
FROM shown
UNION ALL
SELECT 2, group_concat(key || ' ' || value, '  ')
FROM (SELECT * FROM shown_axes WHERE NOT is_column ORDER BY ord)
UNION ALL
SELECT 3, group_concat(iif(name = 'clock', value || ' clock', name || ' ' || value), ', ')
FROM (SELECT * FROM shown_origins WHERE NOT is_column AND value IS NOT NULL ORDER BY ord) WHERE :generations IS NULL
UNION ALL
SELECT 4, 'partial: ' || nullif(count(*), 0) || ' (the run was interrupted; the next run adds the missing rounds)'
FROM shown WHERE instr(flag_list, '+partial+') AND :generations IS NULL
UNION ALL
SELECT 5, 'simulated: ' || nullif(count(*), 0) || ' (a test''s fake timer gave the times)'
FROM shown WHERE simulated AND ran AND :generations IS NULL
UNION ALL
SELECT * FROM (
    SELECT 6, f.status || ': ' || f.variant || ' (' || f.faults || ' of ' || f.cells
           || ' cells): none of its times counts; n = ' || coalesce(s.n, '') || ': ' || coalesce(f.reason, '')
    FROM faulty f JOIN shown s ON s.cell = f.cell AND s.listed WHERE :generations IS NULL ORDER BY s.ord);
DELETE FROM head WHERE line IS NULL;

-- The lines of the flags below a table.
CREATE TEMP VIEW foot AS
SELECT m.ord, m.mark || ' ' || m.name || ': ' || m.meaning AS line FROM marks m
WHERE EXISTS (SELECT 1 FROM shown WHERE ok AND instr(flag_list, '+' || m.name || '+'));

-- Each result of the cells that have several, and what the interval allows to say of its time over the time before. A
-- ratio under 1 is faster. Times of two clocks have no ratio.
CREATE TEMP VIEW steps AS
WITH counted AS (
    SELECT *, count(*) OVER (PARTITION BY cell) AS results, min(ord) OVER (PARTITION BY cell) AS place_of_cell
    FROM shown WHERE ran),
paired AS (
    SELECT *, lag(ord) OVER step AS ord_before, lag(source_hash) OVER step AS source_before,
           lag(library_hash) OVER step AS library_before, lag(machine_hash) OVER step AS machine_before,
           lag(simulated) OVER step AS simulated_before, median_s / lag(median_s) OVER step AS ratio,
           span(median_s, ci_lo_s, ci_hi_s) AS span, lag(span(median_s, ci_lo_s, ci_hi_s)) OVER step AS span_before
    FROM counted WHERE results > 1 WINDOW step AS (PARTITION BY cell ORDER BY from_generation, ord)),
judged AS (
    SELECT *, simulated = simulated_before AS one_clock, ratio_low(span, span_before) AS low,
           ratio_high(span, span_before) AS high, verdict(span_before, span, NULL) AS verdict
    FROM paired)
SELECT *, nullif(substr(iif(ord_before IS NULL, '', iif(source_hash IS source_before, '', '+source')
                  || iif(library_hash IS library_before, '', '+library')
                  || iif(machine_hash IS machine_before, '', '+machine') || iif(one_clock, '', '+clock')), 2), '')
           AS changed,
       iif(one_clock AND ratio IS NOT NULL, printf('%.3f', ratio), NULL) AS "time / before",
       iif(one_clock AND verdict <> 'single', printf('%.3f .. %.3f', low, high), NULL) AS "its interval",
       iif(one_clock, iif(verdict = 'single', 'no interval', verdict), NULL) AS judgement
FROM judged ORDER BY place_of_cell, from_generation, ord;
