-- The rounds in which a submission and the baseline were timed at one size: the table `rounds`, with the first sample
-- of each. Each data folder is a series of rounds. Parameters: :own and :baseline, full names of variants.
-- SPDX-License-Identifier: MIT

-- A library was also measured on fewer threads; its fastest number of them counts. The shortest sample of a round
-- counts, as in report/compare-launches.sql. Where both compute on one thread, the processor time of a sample counts if
-- it is the shorter one: it leaves out the time in which another program had the core. A single run does not know it. A
-- variant without the axis `threads` may make some of its own, which spend more processor time than passes.
--   doubts  the flags of both times, joined by +. Other programs do not matter where processor time counts: it is that
--           of one thread if it is hardly longer than what passes.
CREATE TEMP TABLE rounds AS
WITH best AS (
    SELECT host, cell, n, variant = :baseline AS is_base, iif(unsound, flags, '') AS doubts,
           row_number() OVER (PARTITION BY host, n, variant ORDER BY median_s) AS place,
           min(coalesce(threads, 1) = 1 AND backend IN ('cpu', 'blas')) OVER (PARTITION BY host, n) AS serial
    FROM results WHERE experiment = 'speed' AND status = 'ok' AND variant IN (:own, :baseline)),
timed AS (
    SELECT b.host, b.n, b.is_base,
           iif(b.serial AND min(s.cpu_s) > 0 AND min(s.cpu_s) <= 1.1 * min(s.kernel_s),
               trim(replace('+' || b.doubts || '+', '+noisy+', '+'), '+'), b.doubts) AS doubts, s.round,
           min(iif(b.serial AND s.cpu_s > 0, min(s.cpu_s, s.kernel_s), s.kernel_s)) AS s,
           max(iif(s."index" = 0, s.kernel_s, NULL)) AS first_s
    FROM best b JOIN samples s ON s.host = b.host AND s.experiment = 'speed' AND s.cell = b.cell
    WHERE b.place = 1 AND s.kernel_s > 0
    GROUP BY b.host, b.n, b.is_base, s.round)
SELECT own.host AS series, own.round, own.n, own.s AS own_s, base.s AS base_s, own.first_s AS own_first_s,
       base.first_s AS base_first_s, own.doubts || '+' || base.doubts AS doubts
FROM timed own JOIN timed base USING (host, round, n) WHERE NOT own.is_base AND base.is_base;
