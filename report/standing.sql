-- Where the programs of the sources, the best own ones and the libraries stand, in per cent of a measured ceiling: the
-- figure of the summary, for one host. Parameter: :host.
-- SPDX-License-Identifier: MIT
-- needs: paired.sql
-- title: Per cent of the measured ceiling
-- title.ru: Проценты измеренного предела
-- caption: Programs of the sources, best own ones and libraries, in per cent of the ceiling of the own program's
--   unit. Rows without such a share are in the table alone. \emph{Split}: products of parts of operands. A star marks
--   pivoting
-- caption.ru: Программы источников, лучшие свои и библиотеки, \% измеренного предела блоков, которые использует своя.
--   Варианты без такой доли~--- в таблице. Под надписью~--- произведения частей операндов. Звёздочка: с выбором
CREATE TEMP TABLE standing AS
SELECT p.*, row_number() OVER (ORDER BY p.emulated, p.side,
                                        (SELECT rowid FROM problems q WHERE q.name = p.problem), p.contract,
                                        p.precision) AS line
FROM paired p WHERE p.host = :host AND p.shown AND p.ceiling > 0 AND p.share > 0;

-- The programs of the sources, as rates over the ceiling of the same unit on their own machine. They are compiled with
-- at most the optimisation of the own variant.
CREATE TEMP TABLE sourced AS
WITH ceiled AS (
    SELECT s.line, c.machine, c.n, c.median_s, c.span, c.flagged,
           100 * iif(s.by_bytes, c.gbs, c.gflops)
             / (SELECT max(o.rate) FROM ceilings o JOIN ceilings u ON u.rowid = iif(s.by_bytes, s.of_read, s.of_peak)
                WHERE o.host = c.host AND o.machine = c.machine AND o.broken IS NULL AND o.side = u.side
                  AND o.problem = u.problem AND o.precision = u.precision AND o.threads = u.threads
                  AND o.tensor = u.tensor AND o.isa IS u.isa) AS y
    FROM standing s JOIN cells c ON c.host = s.host AND c.problem = s.problem AND c.side = s.side
      AND c.precision = s.precision AND c.contract = s.contract AND c.n <= s.n AND c.variant <> s.variant
    JOIN chosen d ON d.host = c.host AND d.experiment = c.experiment
    JOIN variants v ON v.host = c.host AND v.experiment = c.experiment AND v.name = c.variant
    WHERE NOT s.emulated AND c.usual AND c.counts AND coalesce(c.opt, '') <= s.opt
      AND v.source NOT IN ('', 'own', 'tilelab', 'baseline')),
ranked AS (SELECT *, row_number() OVER (PARTITION BY line ORDER BY n DESC, median_s) AS turn FROM ceiled WHERE y <= 100)
SELECT * FROM ranked WHERE turn = 1;

CREATE TEMP TABLE stood AS
SELECT line, 1 AS kind, y, span, flagged FROM sourced
UNION ALL
SELECT s.line, 2, s.share, c.span, s.flagged
FROM standing s JOIN cells c ON c.host = s.host AND c.experiment = s.experiment AND c.cell = s.cell
UNION ALL
SELECT s.line, 3, s.share * s.median_s / s.vendor_s, c.span, s.vendor_flagged
FROM standing s JOIN cells c ON c.host = s.host AND c.experiment = s.experiment AND c.cell = s.vendor_cell;

-- name: curves
SELECT CASE kind WHEN 1 THEN 'source' WHEN 2 THEN 'own' ELSE 'library' END AS curve,
       79 + kind AS curve_style, 0 AS curve_dash, line, y, rate_low(y, span) AS low,
       rate_high(y, span) AS high, flagged
FROM stood ORDER BY kind, line;

-- name: lines
SELECT side || ' ' || problem || iif(contract = 'none', '', '*') || ' ' || precision || ', ' || idea
       || coalesce(' -' || built, '') AS curve,
       line AS curve_line, 0 AS unused
FROM standing ORDER BY line;

-- scalars
SELECT (SELECT count(*) FROM standing WHERE NOT emulated) AS native;
