-- The right own kernels of several hosts by their speed against the library of the same host: the table `ranking`. It
-- needs the base layer alone, so that any query of a class may use it:
--   tilelab query --data HOST --data HOST ... report/ranking.sql FILE.sql
-- A variant that is wrong somewhere has no time (report/withdrawn.sql), and so no row; the table `faulty` names it.
-- SPDX-License-Identifier: MIT
--
-- A row is a variant on a host at one shape, with its fastest tuning. Only kernels of one study, shape and device are
-- held against each other.
--   ratio        speed of the kernel / speed of the library; low and high are the ends of its interval, or NULL
--   given        1: all hosts have the variant with one source, as kernels that a course hands out
--   place        1 and more: the number of kernels that are certainly faster, plus one, so that kernels whose intervals
--                overlap share a place unless a third one parts them. A flagged ratio is not certain beside an
--                unflagged one, and stands before none of these. NULL without an interval. Kernels that are given
--                have places of their own.
--   largest      1: the shape has the largest n that the most hosts have measured
CREATE TEMP TABLE ranking AS
WITH beside AS (
    SELECT o.host, o.experiment, substr(o.task, length(o.machine) + 2) AS shape, o.side, o.contract, o.problem,
           o.precision, o.n, o.variant, o.idea, o.cell, o.source_hash, o.threads, o.median_s, o.span, o.flagged,
           o.ci_lo_s IS NULL OR v.ci_lo_s IS NULL AS single, v.brief AS vendor, v.span AS vendor_span,
           v.flagged AS vendor_flagged, v.median_s / o.median_s AS ratio, ratio_low(v.span, o.span) AS low,
           ratio_high(v.span, o.span) AS high,
           row_number() OVER (PARTITION BY o.host, o.experiment, o.task, o.side, o.contract, o.variant
                              ORDER BY o.ci_lo_s IS NULL, o.median_s, o.cell) AS nth
    FROM cells o JOIN library_cells v USING (host, experiment, side, task, contract)
    WHERE o.usual AND o.counts AND NOT o.vendor AND o.library IS NULL AND v.place = 1),
shared AS (
    SELECT experiment, variant, count(DISTINCT source_hash) = 1 AND count(DISTINCT host)
           = (SELECT count(DISTINCT host) FROM results r WHERE r.experiment = results.experiment) AS given
    FROM results GROUP BY experiment, variant),
one AS (SELECT b.*, s.given FROM beside b JOIN shared s USING (experiment, variant) WHERE b.nth = 1),
sized AS (
    SELECT experiment, shape, side, contract,
           row_number() OVER (PARTITION BY experiment, problem, precision, side, contract
                              ORDER BY count(DISTINCT host) DESC, n DESC, shape) = 1 AS largest
    FROM one GROUP BY experiment, shape, side, contract)
SELECT o.host, o.experiment, o.problem, o.precision, o.n, o.shape, o.side, o.contract, o.variant, o.idea, o.cell,
       o.threads, o.median_s, o.span, o.flagged, o.vendor, o.vendor_span, o.vendor_flagged, o.ratio, o.low, o.high,
       o.given, s.largest,
       iif(o.single, NULL, 1 + (SELECT count(*) FROM one f
                                WHERE f.experiment = o.experiment AND f.shape = o.shape AND f.side = o.side
                                  AND f.contract = o.contract AND f.given = o.given AND f.low > o.high
                                  AND (NOT (f.flagged OR f.vendor_flagged) OR o.flagged OR o.vendor_flagged))) AS place
FROM one o JOIN sized s USING (experiment, shape, side, contract);
