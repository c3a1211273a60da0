-- From which n the library on the GPU is faster than the one on the CPU, for three kinds of memory.
-- SPDX-License-Identifier: MIT
-- title: Library on the GPU against the library on the CPU
-- title.ru: Библиотека на GPU и библиотека на CPU
-- takes: library
-- caption: From which $n$ the GPU is faster (above 1).\each{
--   \hostbrief{}, \fact{precision}, \code{gpu} against \code{cpu}:
--   \iffact{pageable}{$n$ \fact{pageable}}\nofact{pageable}{at most $n = \fact{pageable_first}$} with copies from
--   pageable memory\iffact{has_pinned}{,
--   \iffact{pinned}{$n$ \fact{pinned}}\nofact{pinned}{at most $n = \fact{pinned_first}$} from pinned
--   memory},
--   \iffact{resident}{$n$ \fact{resident}}\nofact{resident}{at most $n = \fact{resident_first}$} with operands
--   that are resident on the GPU.} This $n$ is interpolated between the sizes; a bar at 1 is its interval
-- caption.ru: С какого $n$ быстрее GPU (выше 1).\each{ \hostbrief{}, \fact{precision}, \code{gpu} и \code{cpu}:
--   \iffact{pageable}{$n$ \fact{pageable}}\nofact{pageable}{не больше $n = \fact{pageable_first}$} с копированием
--   из обычной памяти\iffact{has_pinned}{,
--   \iffact{pinned}{$n$ \fact{pinned}}\nofact{pinned}{не больше $n = \fact{pinned_first}$} из закреплённой},
--   \iffact{resident}{$n$ \fact{resident}}\nofact{resident}{не больше $n = \fact{resident_first}$} без
--   копирования.} Этот размер интерполирован между измеренными; черта на уровне 1 — его интервал
--
-- A curve has the times of one study: of this one, and for pinned memory of the first study that has some. Each size
-- takes the fastest pair that one machine has measured, of the study's problem and precision. A time with copies is as
-- uncertain as that of the kernel alone.
CREATE TEMP TABLE pair AS
WITH main AS (
    SELECT problem, precision FROM good WHERE vendor AND side = 'GPU' GROUP BY problem, precision
    ORDER BY count(*) DESC, precision LIMIT 1),
gpu AS (
    SELECT *, median_s + extra_s AS s
    FROM (SELECT *, 1 AS kind, total_s - median_s AS extra_s FROM cells WHERE usual AND total_s > 0
          UNION ALL
          SELECT *, 2, total_s - median_s FROM cells
          WHERE host_memory = 'pinned' AND conditions = 1 AND total_s > 0
          UNION ALL
          SELECT *, 3, 0 FROM cells WHERE usual)
    WHERE host = :host AND side = 'GPU' AND vendor AND input_roundoff = 0 AND coalesce(gpus, 1) = 1 AND counts),
pairs AS (
    SELECT g.kind, g.n, g.precision, g.idea AS gpu, l.title AS cpu, l.median_s / g.s AS y,
           coalesce(l.ci_lo_s, l.median_s) / (coalesce(g.ci_hi_s, g.median_s) + g.extra_s) AS low,
           coalesce(l.ci_hi_s, l.median_s) / (coalesce(g.ci_lo_s, g.median_s) + g.extra_s) AS high,
           all_flags(g.flagged, l.flagged) AS flagged, coalesce(g.weak, l.weak) AS weak,
           dense_rank() OVER (PARTITION BY g.kind ORDER BY g.experiment <> :experiment, g.experiment) AS study,
           row_number() OVER (PARTITION BY g.kind, g.n, g.experiment ORDER BY g.s) AS turn
    FROM gpu g JOIN main USING (problem, precision)
    JOIN cells c ON c.host = g.host AND c.experiment = g.experiment AND c.machine = g.machine AND c.usual
      AND c.problem = g.problem AND c.precision = g.precision AND c.n = g.n AND c.contract = g.contract
    JOIN library_cells l ON l.host = c.host AND l.experiment = c.experiment AND l.cell = c.cell AND l.side = 'CPU'
      AND l.contract = c.contract AND l.place = 1)
SELECT *, CASE kind WHEN 1 THEN 'pageable memory' WHEN 2 THEN 'pinned memory' ELSE 'resident' END AS operands
FROM pairs WHERE turn = 1 AND study = 1;

-- The size from which on a ratio is above 1, where this is neither at the first size nor never. Its ends follow from
-- the times that give a verdict; NULL: these times do not tell the end.
CREATE TEMP TABLE crossing AS
WITH bound AS (
    SELECT kind, n, 'at' AS end, y AS x FROM pair
    UNION ALL SELECT kind, n, 'high', low FROM pair WHERE weak IS NULL
    UNION ALL SELECT kind, n, 'low', high FROM pair WHERE weak IS NULL),
next AS (
    SELECT *, lead(n) OVER curve AS next_n, lead(x) OVER curve AS next_x FROM bound
    WINDOW curve AS (PARTITION BY kind, end ORDER BY n)),
last AS (SELECT *, max(n) FROM next WHERE x <= 1 GROUP BY kind, end),
met AS (SELECT kind, end, exp(ln(n) - ln(x) * (ln(next_n) - ln(n)) / (ln(next_x) - ln(x))) AS n FROM last
        WHERE next_x > 1)
SELECT kind, max(iif(end = 'at', n, NULL)) AS at, max(iif(end = 'low', n, NULL)) AS low,
       max(iif(end = 'high', n, NULL)) AS high
FROM met GROUP BY kind HAVING at IS NOT NULL;

-- name: curves
SELECT operands AS curve, 79 + kind AS curve_style, 0 AS curve_dash, n, y, low, high, flagged FROM pair
ORDER BY kind, n;

-- name: crossings
SELECT operands AS curve, at AS curve_at, coalesce(low, at) AS curve_low,
       coalesce(high, at) AS curve_high, 0 AS unused
FROM crossing JOIN (SELECT DISTINCT kind, operands FROM pair) USING (kind) ORDER BY kind;

-- scalars
SELECT min(y) AS y_least, max(y) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM pair ORDER BY n)) AS sizes
FROM pair;

-- facts
WITH told AS (
    SELECT kind, gpu, cpu, precision,
           CASE WHEN at IS NOT NULL
                  THEN printf('= %.0f', at) || iif(c.low < c.high, printf(' [%.0f, %.0f]', c.low, c.high), '')
                WHEN min(p.y) <= 1 THEN '> ' || max(p.n) END AS size, min(p.n) AS first
    FROM pair p LEFT JOIN crossing c USING (kind) GROUP BY kind)
SELECT :host AS host, precision, gpu, cpu, max(iif(kind = 1, size, NULL)) AS pageable,
       max(iif(kind = 1, first, NULL)) AS pageable_first, max(kind = 2) OR NULL AS has_pinned,
       max(iif(kind = 2, size, NULL)) AS pinned, max(iif(kind = 2, first, NULL)) AS pinned_first,
       max(iif(kind = 3, size, NULL)) AS resident, max(iif(kind = 3, first, NULL)) AS resident_first
FROM told HAVING count(*) > 0;
