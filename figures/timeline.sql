-- Who worked when in a run of each kernel, and what its gap to the rate of the product is made of.
-- SPDX-License-Identifier: MIT
-- problems: lu
-- title: Who worked when
-- title.ru: Кто когда работал
-- caption: A row is a thread or thread block, white is idle time\anyfact{explained}{. Idle time and slow work explain
--   so many \% of the lag behind the product's rate (in brackets idle time alone)}\each{. \hostbrief{}:
--   \iffact{both}{idle time and slow work together explain \fact{both}\,\% of the lag behind the product's rate, idle
--   time alone \fact{idle}\,\%}\iffact{explained}{\fact{explained}}}
-- caption.ru: Строка~--- поток или блок, белое~--- простой\anyfact{explained}{. Доля отставания от произведения из-за
--   простоя и медленной работы, \% (в скобках — одного простоя)}\each{. \hostbrief{}:
--   \iffact{both}{простой и медленная работа вместе объясняют \fact{both}\,\% отставания от скорости произведения,
--   только простой~--- \fact{idle}\,\%}\iffact{explained}{\fact{explained}}}
--
-- `tilelab trace` prints the rows, and somebody has put them beside the results. A trace of another source than the
-- cell's result is left out. Of each variant the largest n counts, then the most threads.
CREATE TEMP TABLE traced AS
SELECT cell, variant, n, tile, threads, dense_rank() OVER (ORDER BY place, variant) AS panel
FROM (SELECT t.cell, t.variant, t.n, t.tile, t.threads, coalesce(k.rowid, 1e9) AS place,
             row_number() OVER (PARTITION BY t.variant ORDER BY t.n DESC, t.threads DESC, t.cell) AS turn
      FROM timeline t LEFT JOIN known k ON k.name = t.variant
      WHERE t.host = :host AND t.experiment = :experiment AND t.work = 'run'
        AND NOT EXISTS (SELECT 1 FROM results r WHERE r.host = t.host AND r.experiment = t.experiment
                          AND r.cell = t.cell AND r.source_hash <> t.source_hash))
WHERE turn = 1;

-- The works by kind. What a kernel calls update or multiply takes most of its time and is a product.
CREATE TEMP TABLE worked AS
SELECT t.*, d.panel,
       CASE WHEN t.work GLOB '*update*' OR t.work GLOB '*multiply*' THEN 1
            WHEN t.work GLOB '*solve*' OR t.work GLOB '*upper*' THEN 2
            WHEN t.work GLOB '*transpose*' OR t.work GLOB '*exchange*' OR t.work GLOB '*pack*' OR t.work = 'copy' THEN 4
            WHEN t.work GLOB '*factor*' OR t.work GLOB '*panel*' THEN 3 ELSE 5 END AS kind
FROM timeline t JOIN traced d USING (cell)
WHERE t.host = :host AND t.experiment = :experiment AND t.work NOT IN ('run', 'traced run', 'idle');

-- name: curves
SELECT CASE kind WHEN 1 THEN 'updates' WHEN 2 THEN 'solves' WHEN 3 THEN 'panels'
                 WHEN 4 THEN 'data moved' ELSE 'other work' END AS curve, kind AS curve_style,
       0 AS curve_dash, panel, begin_s * 1e3 AS begin_ms, end_s * 1e3 AS end_ms,
       iif(thread < 0, threads, thread) AS thread
FROM worked WHERE thread IS NOT NULL ORDER BY kind, panel, thread < 0, thread, begin_s;

-- name: panels
SELECT substr(d.variant, instr(d.variant, '/') + 1)
         || iif((SELECT count(DISTINCT n) FROM traced) > 1, ', n = ' || d.n, '')
         || iif(d.tile, ', tile ' || d.tile, '') AS curve,
       max(d.threads) AS curve_threads, 0 AS unused
FROM traced d GROUP BY d.panel ORDER BY d.panel;

-- scalars
SELECT max(end_s) * 1e3 AS x_most, (SELECT max(threads) FROM traced) AS threads_most,
       (SELECT iif(min(n) = max(n), n, NULL) FROM traced) AS n_all FROM worked;

-- facts
WITH part AS (
    SELECT d.panel, substr(d.variant, instr(d.variant, '/') + 1) AS idea,
           sum(t.busy_s - t.product_s) FILTER (WHERE t.work = 'run') AS gap_s,
           sum(t.busy_s) FILTER (WHERE t.work = 'traced run') / sum(t.busy_s) FILTER (WHERE t.work = 'run') AS longer,
           sum(t.busy_s) FILTER (WHERE t.work = 'idle') AS idle_s,
           sum(t.busy_s - coalesce(t.product_s, 0)) FILTER (WHERE t.work NOT IN ('run', 'traced run', 'other'))
               AS explained_s
    FROM traced d JOIN timeline t ON t.host = :host AND t.experiment = :experiment AND t.cell = d.cell
    WHERE t.thread IS NULL GROUP BY d.panel)
SELECT :host AS host,
       iif(count(*) > 1, group_concat(printf('%s %.0f (%.0f)', idea, both, idle), ', '), NULL) AS explained,
       iif(count(*) = 1, printf('%.0f', max(both)), NULL) AS both,
       iif(count(*) = 1, printf('%.0f', max(idle)), NULL) AS idle
FROM (SELECT idea, 100 * explained_s / gap_s AS both, 100 * idle_s / gap_s AS idle
      FROM part WHERE gap_s > 0 AND longer BETWEEN 0.95 AND 1.05 ORDER BY panel)
HAVING count(*) > 0;
