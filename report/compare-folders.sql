-- Compares the cells of data folders with those of the first folder, or two generations of one study.
-- Parameters: :study, the studies to compare; empty: all studies. :older, :newer: generations of the study; empty: the
-- shown results of each folder. Results: `pair` has a row for each cell that both sides have measured, `lacking` a row
-- for each cell that only one side has measured, `summary` a row for each side but the first, `alarms` one row.
-- SPDX-License-Identifier: MIT
-- needs: compare-called.sql

-- The results on each side. `told`: the settings, without m and k where they are n. A generation may have several
-- results of a cell; the one with the most rounds counts. A comparison ranks no variants, so that a time counts here
-- also where the variant is wrong in another cell (report/withdrawn.sql).
CREATE TEMP TABLE shown AS
WITH kept AS (
    SELECT host, coalesce(generation, 1) AS generation, experiment, cell, variant, settings, n, square,
           iif(status = 'withdrawn', 'ok', status) AS status, iif(status = 'withdrawn', NULL, reason) AS reason,
           coalesce(flags, '') AS flags, median_s, span(median_s, ci_lo_s, ci_hi_s) AS span, source_hash, library_hash,
           machine_hash, machine_mark, rounds, launches, samples, weak, log_error(ci_lo_s, ci_hi_s, rounds) AS error,
           1 AS in_results
    FROM results
    UNION ALL
    SELECT host, coalesce(generation, 1), experiment, cell, variant, settings, n, square, status, reason,
           coalesce(flags, ''), median_s, span(median_s, ci_lo_s, ci_hi_s), source_hash, library_hash, machine_hash,
           machine_mark, rounds, launches, samples, weak, log_error(ci_lo_s, ci_hi_s, rounds), 0
    FROM archive),
every AS (
    SELECT h.side, k.host AS label, k.*
    FROM kept k
    JOIN (SELECT host, row_number() OVER (ORDER BY ord) - 1 AS side FROM hosts
          WHERE host IN (SELECT host FROM results)) h USING (host)
    WHERE coalesce(:older, '') = '' AND k.in_results
    UNION ALL
    SELECT generation = CAST(:newer AS INTEGER), 'generation ' || generation, k.*
    FROM kept k WHERE generation IN (CAST(:older AS INTEGER), CAST(:newer AS INTEGER)) AND coalesce(:older, '') <> ''),
ranked AS (
    SELECT *, row_number() OVER (PARTITION BY side, experiment, cell
                                 ORDER BY status <> 'ok', rounds DESC, samples DESC) AS place
    FROM every WHERE trim(coalesce(:study, '')) = '' OR instr(' ' || :study || ' ', ' ' || experiment || ' '))
SELECT *, iif(square, drop_axes(settings, 'm k'), settings) AS told
FROM ranked WHERE place = 1;
CREATE INDEX shown_cell ON shown(experiment, cell, side);

-- The axes that all cells share are told once, in front of the rows.
CREATE TEMP TABLE shared AS
SELECT coalesce(group_concat(key, ' '), '') AS axes FROM axes
WHERE (SELECT count(DISTINCT pick(told, key)) FROM shown) = 1;

CREATE TEMP TABLE label AS SELECT DISTINCT side, label FROM shown;

-- What the intervals of a pair of results say of it alone. `p`: the probability of such a ratio if the true ratio is 1;
-- NULL: the pair gives no verdict.
CREATE TEMP TABLE judged AS
WITH matched AS (
    SELECT b.side, a.label AS base, b.label AS other, a.experiment, a.cell, a.variant,
           drop_axes(a.told, (SELECT axes FROM shared)) AS settings, a.n,
           a.status AS base_status, b.status, b.reason, a.median_s AS base_s, b.median_s AS s,
           -- A row that does not tell its physical machine may be of any of its kind.
           a.machine_hash IS NOT b.machine_hash
             OR coalesce(a.machine_mark <> b.machine_mark, 0) AS other_machine,
           a.source_hash IS NOT b.source_hash AS other_code, a.library_hash IS NOT b.library_hash AS other_library,
           instr(a.flags, 'simulated') > 0 <> (instr(b.flags, 'simulated') > 0) AS two_clocks,
           (SELECT group_concat(flag, ' ')
            FROM (SELECT DISTINCT value AS flag
                  FROM json_each('["' || replace(a.flags || '+' || b.flags, '+', '","') || '"]')
                  WHERE value NOT IN ('', 'simulated'))) AS doubts,
           coalesce(a.weak, b.weak) AS weak,
           iif(a.status = b.status, coalesce(nullif(a.weak, 'flagged'), nullif(b.weak, 'flagged')), NULL) AS few,
           a.median_s / b.median_s AS ratio, ratio_low(a.span, b.span) AS low, ratio_high(a.span, b.span) AS high,
           ratio_p(a.median_s / b.median_s, sqrt(a.error * a.error + b.error * b.error), a.launches + b.launches)
             AS chance
    FROM shown a JOIN shown b USING (experiment, cell)
    WHERE a.side = 0 AND b.side > 0
      AND (a.status = 'ok' AND b.status <> 'skipped' OR b.status = 'ok' AND a.status <> 'skipped'))
SELECT *, CASE WHEN status <> 'ok' THEN 'regressed' WHEN base_status <> 'ok' THEN 'fixed'
               WHEN two_clocks THEN 'undecided' ELSE verdict(ratio, low, high, weak) END AS judgement,
       iif(status = 'ok' AND base_status = 'ok' AND NOT two_clocks AND weak IS NULL, chance, NULL) AS p
FROM matched;

-- A pair of results. `speedup`: the time of the first side over the time of the other side; its ends come from the ends
-- of both intervals. A test's fake clock and a real clock have no ratio.
CREATE TEMP TABLE pair AS
SELECT side, base, other, experiment, cell, variant, settings, n, base_status, status, base_s, s,
       iif(two_clocks, NULL, ratio) AS speedup, iif(two_clocks, NULL, low) AS low, iif(two_clocks, NULL, high) AS high,
       p, verdict, alone, other_machine,
       nullif(ltrim(iif(status <> 'ok', ', ' || status || coalesce(': ' || reason, ''), '')
              || iif(other_machine, ', other machine', '') || iif(other_code, ', code changed', '')
              || iif(other_library, ', library changed', '') || iif(two_clocks, ', two clocks', '')
              || iif(judgement = 'single', ', one run', coalesce(', ' || few, ''))
              || coalesce(', ' || alone || ' if compared alone', '')
              || coalesce(', flagged ' || doubts, iif(weak = 'flagged', ', flagged unsteady', '')), ', '), '')
         AS remark
FROM called;

-- Cells that one side has measured, and the other side lacks or has skipped.
CREATE TEMP TABLE lacking AS
SELECT b.side, a.label AS has, b.label AS lacks, a.experiment, a.cell, a.variant,
       drop_axes(a.told, (SELECT axes FROM shared)) AS settings, a.n,
       coalesce('skipped: ' || o.reason, 'no result') AS reason
FROM shown a JOIN label b ON b.side > 0
LEFT JOIN shown o ON o.experiment = a.experiment AND o.cell = a.cell AND o.side = b.side
WHERE a.side = 0 AND a.status = 'ok' AND coalesce(o.status, 'skipped') = 'skipped'
UNION ALL
SELECT b.side, b.label, l.label, b.experiment, b.cell, b.variant,
       drop_axes(b.told, (SELECT axes FROM shared)), b.n, coalesce('skipped: ' || o.reason, 'no result')
FROM shown b JOIN label l ON l.side = 0
LEFT JOIN shown o ON o.experiment = b.experiment AND o.cell = b.cell AND o.side = 0
WHERE b.side > 0 AND b.status = 'ok' AND coalesce(o.status, 'skipped') = 'skipped';

-- A regression is a cell of the same machine that is slower than the first side by more than :fail_above, or that has
-- no correct result any more. Times of another machine say nothing about the code.
CREATE TEMP TABLE summary AS
SELECT l.side, l.label AS other, count(p.cell) AS cells,
       count(*) FILTER (WHERE p.verdict = 'faster') AS faster, count(*) FILTER (WHERE p.verdict = 'slower') AS slower,
       count(*) FILTER (WHERE p.verdict = 'same') AS same,
       count(*) FILTER (WHERE p.verdict = 'undecided') AS undecided,
       count(*) FILTER (WHERE p.verdict = 'regressed') AS regressed,
       count(*) FILTER (WHERE p.verdict = 'fixed') AS fixed,
       min(p.speedup) AS least, max(p.speedup) AS most,
       count(*) FILTER (WHERE p.other_machine) AS other_machine,
       (SELECT count(*) FROM lacking k WHERE k.side = l.side AND k.lacks = l.label) AS lacks,
       (SELECT count(*) FROM lacking k WHERE k.side = l.side AND k.has = l.label) AS more,
       count(*) FILTER (WHERE NOT p.other_machine AND (p.verdict = 'regressed' OR p.verdict = 'slower'
                                                       AND 1 / p.speedup > 1 + coalesce(:fail_above, 0)))
         AS regressions
FROM label l LEFT JOIN pair p USING (side) WHERE l.side > 0
GROUP BY l.side ORDER BY l.side;
