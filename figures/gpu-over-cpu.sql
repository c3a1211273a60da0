-- From which n the library on the GPU is faster than the one on the CPU, for three kinds of memory.
-- SPDX-License-Identifier: MIT
-- title: Library on the GPU against the library on the CPU
-- title.ru: Библиотека на GPU и библиотека на CPU
-- takes: library
-- caption: From which $n$ the GPU is faster (above 1)\each{. \hostbrief{}, \fact{precision}, \code{gpu} against
--   \iffact{cpu}{\code{cpu}}\nofact{cpu}{the fastest library}\iffact{varied}{ on its best threads}:
--   \iffact{pageable}{$n$ \fact{pageable}}\nofact{pageable}{no size for certain} with copies from pageable
--   memory\iffact{has_pinned}{, \iffact{pinned}{$n$ \fact{pinned}}\nofact{pinned}{no size for certain} from pinned
--   memory}, \iffact{resident}{$n$ \fact{resident}}\nofact{resident}{no size for certain} without copies}
-- caption.ru: С какого $n$ быстрее GPU (выше 1)\each{. \hostbrief{}, \fact{precision}, \code{gpu} и
--   \iffact{cpu}{\code{cpu}}\nofact{cpu}{лучшая библиотека}\iffact{varied}{ на лучшем числе потоков}:
--   \iffact{pageable}{$n$ \fact{pageable}}\nofact{pageable}{не установлено} с копированием из обычной
--   памяти\iffact{has_pinned}{, \iffact{pinned}{$n$ \fact{pinned}}\nofact{pinned}{не установлено} из
--   закреплённой}, \iffact{resident}{$n$ \fact{resident}}\nofact{resident}{не установлено} без
--   копирования}
--
-- A curve has the times of one study: of this one, and for pinned memory of the first study that has some, of the
-- study's problem and precision.
CREATE TEMP TABLE pair AS
WITH main AS (
    SELECT problem, precision FROM good WHERE vendor AND side = 'GPU' GROUP BY problem, precision
    ORDER BY count(*) DESC, precision LIMIT 1),
placed AS (
    SELECT *, CASE operands WHEN 'pageable' THEN 1 WHEN 'pinned' THEN 2 ELSE 3 END AS kind,
           dense_rank() OVER (PARTITION BY operands ORDER BY experiment <> :experiment, experiment) AS study
    FROM library_pairs JOIN main USING (problem, precision) JOIN crossings
      USING (host, experiment, problem, precision, operands)
    WHERE host = :host)
SELECT * FROM placed WHERE study = 1;

-- name: curves
SELECT iif(operands = 'resident', operands, operands || ' memory') AS curve, 79 + kind AS curve_style, 0 AS curve_dash,
       n, x AS y, coalesce(x_low, x) AS low, coalesce(x_high, x) AS high, flagged
FROM pair ORDER BY kind, n;

-- name: crossings
SELECT operands AS curve, at AS curve_at, coalesce(below, at) AS curve_low, coalesce(since, at) AS curve_high,
       79 + kind AS curve_style, 0 AS unused
FROM pair WHERE n = most_n AND at > 0 ORDER BY kind;

-- scalars
SELECT min(x) AS y_least, max(x) AS y_most,
       (SELECT group_concat(n, ' ') FROM (SELECT DISTINCT n FROM pair ORDER BY n)) AS sizes
FROM pair;

-- facts
-- A caption names the library on the CPU and its threads if they are the same at all n.
WITH on_cpu AS (
    SELECT iif(min(title) = max(title), title, iif(min(cpu) = max(cpu), cpu, NULL)) AS cpu, max(varied) AS varied
    FROM pair)
SELECT :host AS host, precision, gpu, o.cpu, o.varied, max(iif(kind = 1, size, NULL)) AS pageable,
       max(kind = 2) OR NULL AS has_pinned, max(iif(kind = 2, size, NULL)) AS pinned,
       max(iif(kind = 3, size, NULL)) AS resident
FROM pair JOIN on_cpu o WHERE n = most_n HAVING count(*) > 0;
