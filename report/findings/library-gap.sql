-- How close do our own kernels come to the library (BLAS)? SPDX-License-Identifier: MIT
-- asks.ru: Насколько собственные ядра близки к библиотеке (BLAS)
-- says: \code{variant} \speed{} \code{base}\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{,
--   \fact{threads}~\plural{threads}{thread}{threads}})\iffact{share}{: it reaches \fact{share}\,\% of the measured
--   peak\when{unit}{tensor}{ of the tensor cores}\when{unit}{fma}{ of the multiply-add units}, the library
--   \fact{base_share}\,\%\when{base_unit}{tensor}{ of that of the tensor
--   cores}\when{base_unit}{fma}{ of that of the multiply-add units}}.
-- says.ru: \code{variant} \speed{} \code{base}\judged{} (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков:
--   \fact{threads}})\iffact{share}{: он достигает \fact{share}\,\% измеренного
--   пика\when{unit}{tensor}{ тензорных ядер}\when{unit}{fma}{ устройств FMA},
--   библиотека — \fact{base_share}\,\%\when{base_unit}{tensor}{ пика тензорных ядер}\when{base_unit}{fma}{ пика
--   устройств FMA}}.
-- lacks: No own kernel was measured beside a library in several rounds.
-- lacks.ru: Ни одно собственное ядро не измерено рядом с библиотекой в нескольких раундах.
-- rank: 1
-- answer: 1
-- evidence: table frontier, table ladder, table lu-libraries, table best, table power
-- chapter: matmul
--
-- A study has a row for each device, problem and precision, at the largest n whose times may give a verdict, unless
-- this n is less than a quarter of the largest: then at the largest n that has an interval. The library is at its best
-- on at most as many threads. Where the library was not measured on the machine of the fastest own variant, a slower
-- variant does not stand for it. Shares of peaks of two precisions, as of the integers that make a product of f64, are
-- not told beside each other.
-- `minor`: another study has a faster variant, a larger n or more libraries. Such a row is for its study alone.
-- facts
WITH fastest AS (
    SELECT host, experiment, cell,
           row_number() OVER (PARTITION BY host, experiment, side, computes, contract, threads
                              ORDER BY median_s) AS turn
    FROM compared
    -- A product on tensor cores from split operands has a finding of its own.
    WHERE problem IN ('matmul', 'aat', 'lu') AND NOT vendor AND library IS NULL
      AND NOT (emulated AND problem <> 'lu')),
pairs AS (
    SELECT v.*, l.title, l.libraries, row_number() OVER (PARTITION BY v.host, v.experiment, v.side, v.problem, v.task,
                                                         coalesce(v.threads, 0)
                                            ORDER BY v.contract <> l.own_contract, v.median_s, l.place) AS best
    FROM versus v JOIN library_cells l USING (host, experiment, task, side, contract)
    JOIN fastest f ON f.host = v.host AND f.experiment = v.experiment AND f.cell = v.cell
    WHERE f.turn = 1 AND l.cell = v.base_cell AND iif(v.threads IS NULL, l.threads IS NULL, l.threads <= v.threads)),
sized AS (
    SELECT *, is_large(n, max(n) OVER (PARTITION BY host, side, problem, precision)) AS large
    FROM pairs WHERE best = 1),
found AS (
    SELECT *, row_number() OVER (PARTITION BY host, experiment, side, problem, precision
                                 ORDER BY x_low IS NULL, NOT large, weak IS NOT NULL, n DESC,
                                          coalesce(threads, 0) DESC) AS turn
    FROM sized),
-- The choice between studies is that of report/paired.sql.
led AS (
    SELECT *, first_value(variant) OVER (PARTITION BY host, side, problem, precision
                                         ORDER BY x_low IS NULL, NOT large, gflops DESC) AS leader
    FROM found WHERE turn = 1),
held AS (
    SELECT *, max(iif(variant = leader, libraries, 0)) OVER (PARTITION BY host, side, problem, precision) AS most
    FROM led)
SELECT f.host, f.experiment, f.side, f.variant, f.title AS base, f.precision, f.n, f.threads, f.ratio, f.low, f.high,
       f.verdict,
       f.flagged, f.cost_ratio, f.cost_low, f.cost_high, f.cost_flagged, f.slower,
       iif(f.variant <> f.leader OR NOT f.large OR f.libraries < f.most, 1, NULL) AS minor,
       iif(l.share > 0 AND a.precision IS b.precision, sig(o.share), NULL) AS share, sig(l.share) AS base_share,
       iif(a.tensor <> b.tensor, iif(a.tensor, 'tensor', 'fma'), NULL) AS unit,
       iif(a.tensor <> b.tensor, iif(b.tensor, 'tensor', 'fma'), NULL) AS base_unit
FROM held f
LEFT JOIN peaks o USING (host, experiment, cell)
LEFT JOIN peaks l ON l.host = f.host AND l.experiment = f.experiment AND l.cell = f.base_cell
LEFT JOIN ceilings a ON a.rowid = o.of_peak LEFT JOIN ceilings b ON b.rowid = l.of_peak
ORDER BY f.weak IS NOT NULL OR f.libraries < f.most, f.problem <> 'matmul', f.host_ord, f.side DESC, f.x_low IS NULL,
         f.variant <> f.leader, f.n DESC, coalesce(f.threads, 0) DESC, f.precision, doubt(f.flagged), f.rounds DESC,
         f.median_s, f.study_ord;
