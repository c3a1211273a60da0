-- Withdraws the times of the variants that are wrong somewhere: a variant that is wrong at one size is nobody's best at
-- any other size. The program runs this file whenever it has loaded results, before report/ceilings.sql, so that no
-- table, figure, finding, claim or ceiling can take such a time. Neither can they take one that left-out.csv marks.
-- SPDX-License-Identifier: MIT

-- The variants that gave a wrong result, crashed or returned an error, on each host and in each build of their source
-- and their library. A row has the first of these cells: the wrong ones come first, small ones before large ones. The
-- function blames() knows which outcomes are such faults.
--   faults  how many cells have such a fault
--   cells   how many cells were run
CREATE TABLE faulty AS
WITH run AS (
    SELECT *, blames(status) AS fault FROM results WHERE status <> 'skipped'),
counted AS (
    SELECT *, row_number() OVER (build ORDER BY NOT fault, status <> 'wrong', n, experiment, cell) AS place,
           sum(fault) OVER build AS faults, count(*) OVER build AS cells
    FROM run WINDOW build AS (PARTITION BY host, variant, source_hash, library_hash))
SELECT host, variant, source_hash, library_hash, experiment, cell, faults, cells, status, reason,
       drop_axes(settings, 'isa opt ' || iif(square, 'm k', '')) AS settings
FROM counted WHERE place = 1 AND fault;

-- A result that would be `ok` has the status `withdrawn`, which no CSV file holds.
UPDATE results SET status = 'withdrawn',
                   reason = f.status || ' at ' || f.settings || coalesce(': ' || nullif(f.reason, ''), '')
FROM faulty f
WHERE results.status = 'ok' AND f.host = results.host AND f.variant = results.variant
  AND f.source_hash IS results.source_hash AND f.library_hash IS results.library_hash;

UPDATE results SET status = 'withdrawn', reason = 'left out: ' || coalesce(m.reason, '')
FROM marked_out m
WHERE results.status = 'ok' AND m.host = results.host AND m.experiment = results.experiment AND m.cell = results.cell;
