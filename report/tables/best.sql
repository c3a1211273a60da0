-- The fastest own variant of each device at each n beside the vendor's library. SPDX-License-Identifier: MIT
-- caption: The fastest variant of the study\anyfact{library}{ and the library}\each{\iffact{told}{. \hostbrief{}, $n =
--   \fact{n}$: \code{own}\iffact{threads}{ × \fact{threads}} \speed{} \code{library}\judged}}
-- caption.ru: Лучшая программа исследования\anyfact{library}{ и библиотека}\each{\iffact{told}{. \hostbrief{}, $n =
--   \fact{n}$: \code{own}\iffact{threads}{ × \fact{threads}} \speed{} \code{library}\judged}}
--
-- In a report of many studies, a table of more than ten sizes has eight of them, from the smallest to the largest.
CREATE TEMP TABLE told_size AS
WITH sized AS (SELECT n, row_number() OVER (ORDER BY n) - 1 AS place, count(*) OVER () AS sizes
               FROM (SELECT DISTINCT n FROM good WHERE NOT vendor))
SELECT n FROM sized
WHERE sizes <= 10 OR place = 0 OR place * 7 / (sizes - 1) > (place - 1) * 7 / (sizes - 1)
   OR NOT EXISTS (SELECT 1 FROM brief);

-- group
-- align: rllL{0.22}rrrrrrlrrr
-- A size of `lacking` has no row.
WITH own AS (
    SELECT g.*, a.tuning_label, row_number() OVER (PARTITION BY g.task, g.contract, g.side ORDER BY g.median_s) AS place
    FROM good g JOIN named a USING (cell) WHERE NOT g.vendor AND g.library IS NULL AND g.input_roundoff = 0)
SELECT o.n AS "n",
       iif((SELECT count(DISTINCT precision) FROM results WHERE experiment = :experiment AND status = 'ok') > 1,
           o.precision, NULL) AS "Type", o.side || coalesce(' × ' || o.threads, '') AS "Device × threads",
       o.idea || o.tuning_label AS "Fastest own variant",
       marked(si(o.median_s, 's'), o.flagged) AS "Time", iif(o.unit = 'memory', NULL, sig(o.gflops)) AS "GFLOP/s",
       iif(o.unit = 'memory', sig(o.gbs), NULL) AS "GB/s",
       sig(p.share) AS "% of peak", sig(p.executed_share) AS "% executed",
       iif(o.unit = 'memory' AND o.gbs <= p.gbs, sig(100 * o.gbs / p.gbs), NULL) AS "% of bandwidth",
       v.label AS "Library",
       marked(si(v.median_s, 's'), v.flagged) AS "Its time",
       marked(ratio(v.span, o.span), o.flagged, v.flagged) AS "Own/library",
       marked(ratio(e.span, o.span), o.flagged, e.flagged) AS "Equal threads"
FROM own o LEFT JOIN vendor v USING (task, side, contract)
LEFT JOIN equal_vendor e ON e.task = o.task AND e.side = o.side AND e.contract = o.contract AND e.threads = o.threads
  AND e.threads <> v.threads
LEFT JOIN peak p ON p.cell = o.cell
WHERE o.place = 1 AND o.n IN (SELECT n FROM told_size)
  AND (o.problem, o.precision, o.contract, o.side, o.n) NOT IN (SELECT * FROM lacking)
ORDER BY o.n, o.precision, o.side, o.ord;

-- facts
-- Of a host with both devices, the GPU's row. The threads are told where the two have different numbers of them.
WITH own AS (
    SELECT g.*, row_number() OVER (PARTITION BY g.task, g.contract, g.side ORDER BY g.median_s, g.ord) AS place
    FROM good g WHERE NOT g.vendor AND g.library IS NULL AND g.input_roundoff = 0),
unequal AS (
    SELECT o.side, o.precision, o.n, o.idea, o.variant, o.threads
    FROM own o JOIN vendor v USING (task, side, contract) WHERE o.place = 1 AND o.threads <> v.threads),
-- Of a host without a verdict the caption tells nothing.
beside AS (
    SELECT h.side, h.n, own, library, ratio, low, high, verdict, flagged, cost_ratio, cost_low, cost_high,
           cost_flagged, slower, max(u.threads) AS threads
    FROM headline h
    LEFT JOIN unequal u ON u.side = h.side AND u.precision = h.precision AND u.n = h.n AND h.own IN (u.idea, u.variant)
    WHERE library IS NOT NULL GROUP BY h.side ORDER BY h.side DESC LIMIT 1)
SELECT :host AS host, b.*, iif(b.verdict <> 'undecided', 1, NULL) AS told
FROM (SELECT 1) LEFT JOIN beside b WHERE EXISTS (SELECT 1 FROM own);
