-- What bounds the fastest, the slowest and the source's kernel of a study? SPDX-License-Identifier: MIT
-- says: What limits the kernels of \code{problem} on the \fact{side} (\fact{precision}, $n =
--   \fact{n}$\iffact{split}{, split products apart}): \iffact{fast}{the fastest one, \code{fast}:
--   \iffact{fast_unit}{\fact{fast_unit}, \fact{fast_share}\,\% of the time\when{fast_basis}{counters}{
--   (counted)}\when{fast_basis}{model}{ (modelled)}\iffact{fast_removal}{, which \code{fast_removal}
--   removes}}\nofact{fast_unit}{no known unit}}\iffact{slow}{; the slowest one, \code{slow}:
--   \iffact{slow_unit}{\fact{slow_unit}, \fact{slow_share}\,\% of the time\when{slow_basis}{counters}{
--   (counted)}\when{slow_basis}{model}{ (modelled)}\iffact{slow_removal}{, which \code{slow_removal}
--   removes}}\nofact{slow_unit}{no known unit}}\iffact{source}{; the source's, \code{source}:
--   \iffact{source_unit}{\fact{source_unit}, \fact{source_share}\,\% of the time\when{source_basis}{counters}{
--   (counted)}\when{source_basis}{model}{ (modelled)}\iffact{source_removal}{, which \code{source_removal}
--   removes}}\nofact{source_unit}{no known unit}}.
-- says.ru: Что ограничивает ядра \code{problem} на \fact{side} (\fact{precision}, $n = \fact{n}$\iffact{split}{,
--   без произведений частей}): \iffact{fast}{самое быстрое, \code{fast}, — \iffact{fast_unit}{\fact{fast_unit}
--   (\fact{fast_share}\,\% времени\when{fast_basis}{counters}{, счётчики}\when{fast_basis}{model}{,
--   модель})\iffact{fast_removal}{, предел снимает
--   \code{fast_removal}}}\nofact{fast_unit}{неизвестно}}\iffact{slow}{; самое медленное, \code{slow}, —
--   \iffact{slow_unit}{\fact{slow_unit} (\fact{slow_share}\,\% времени\when{slow_basis}{counters}{,
--   счётчики}\when{slow_basis}{model}{, модель})\iffact{slow_removal}{, предел снимает
--   \code{slow_removal}}}\nofact{slow_unit}{неизвестно}}\iffact{source}{; взятое из источника, \code{source}, —
--   \iffact{source_unit}{\fact{source_unit} (\fact{source_share}\,\% времени\when{source_basis}{counters}{,
--   счётчики}\when{source_basis}{model}{, модель})\iffact{source_removal}{, предел снимает
--   \code{source_removal}}}\nofact{source_unit}{неизвестно}}.
--
-- A row is about the cells of one task on one side: that of the most cells with counters, then of the largest n. What
-- computes with parts of operands, or rounds them, is left out (`split`: there is such a cell).
-- report/limits.sql has the limits, and what removes them. A task of which no limit is known has no row.
-- facts
WITH bound AS MATERIALIZED (SELECT * FROM removals),
own AS (
    SELECT c.*, l.unit AS bound_by, l.share, l.by_model, l.idea AS removal,
           EXISTS (SELECT 1 FROM variants v JOIN experiments e ON e.host = v.host AND e.name = v.experiment
                   WHERE v.host = c.host AND v.experiment = c.experiment AND v.name = c.variant
                     AND v.source NOT IN ('', 'own', 'tilelab', 'baseline')
                     AND (e.source = 'tilelab' OR instr(v.source, e.source)))
             AS from_source
    FROM compared c LEFT JOIN bound l USING (host, experiment, cell)
    WHERE c.library IS NULL AND c.place = 1 AND c.widest AND NOT c.emulated AND c.input_roundoff = 0),
counted AS (
    SELECT host, experiment, side, task, max(n) AS n, count(*) AS cells, sum(by_model = 0) AS counted
    FROM own GROUP BY host, experiment, side, task HAVING count(share) > 0),
told AS (
    SELECT o.*, row_number() OVER (best ORDER BY o.median_s, o.ord) AS fastest,
           row_number() OVER (best ORDER BY o.median_s DESC, o.ord) AS slowest,
           row_number() OVER (best ORDER BY NOT o.from_source, o.median_s, o.ord) AS nearest
    FROM (SELECT *, row_number() OVER (PARTITION BY host, experiment, side
                                       ORDER BY counted DESC, n DESC, cells DESC, task) AS turn FROM counted) t
    JOIN own o USING (host, experiment, side, task) WHERE t.turn = 1
    WINDOW best AS (PARTITION BY o.host, o.experiment, o.side)),
chosen_kernel AS (
    SELECT *, CASE WHEN fastest = 1 THEN 'fast' WHEN slowest = 1 THEN 'slow' ELSE 'source' END AS part,
           CASE by_model WHEN 0 THEN 'counters' WHEN 1 THEN 'model' END AS basis
    FROM told WHERE fastest = 1 OR slowest = 1 OR (nearest = 1 AND from_source))
SELECT host, experiment, side, problem, precision, n,
       (SELECT max(1) FROM compared c WHERE c.host = k.host AND c.experiment = k.experiment AND c.side = k.side
          AND c.task = k.task AND (c.emulated OR c.input_roundoff > 0) AND c.library IS NULL) AS split,
       max(idea) FILTER (WHERE part = 'fast') AS fast, max(bound_by) FILTER (WHERE part = 'fast') AS fast_unit,
       sig(100 * max(share) FILTER (WHERE part = 'fast'), 2) AS fast_share,
       max(basis) FILTER (WHERE part = 'fast') AS fast_basis,
       max(removal) FILTER (WHERE part = 'fast') AS fast_removal,
       max(idea) FILTER (WHERE part = 'slow') AS slow, max(bound_by) FILTER (WHERE part = 'slow') AS slow_unit,
       sig(100 * max(share) FILTER (WHERE part = 'slow'), 2) AS slow_share,
       max(basis) FILTER (WHERE part = 'slow') AS slow_basis,
       max(removal) FILTER (WHERE part = 'slow') AS slow_removal,
       max(idea) FILTER (WHERE part = 'source') AS source, max(bound_by) FILTER (WHERE part = 'source') AS source_unit,
       sig(100 * max(share) FILTER (WHERE part = 'source'), 2) AS source_share,
       max(basis) FILTER (WHERE part = 'source') AS source_basis,
       max(removal) FILTER (WHERE part = 'source') AS source_removal
FROM chosen_kernel k GROUP BY host, experiment, side HAVING count(bound_by) > 0
ORDER BY min(host_ord), min(study_ord), side;
