-- Speed-up of the GPU programs over OpenMP on the same host, by kernel and by total time. SPDX-License-Identifier: MIT
-- problems: matmul
-- caption: Speed-up of the GPU programs over OpenMP on the same host, by the time of the kernel and by the total time.
--   The base and its time stand in the first row
-- caption.ru: Ускорение программ для GPU относительно OpenMP на той же машине: по времени ядра и по полному времени.
--   База и её время стоят в первой строке
--
-- group
-- pivot: size gain
WITH fastest AS (SELECT *, min(median_s) AS least FROM good GROUP BY idea, task),
base AS (SELECT task, n, median_s, span, flagged FROM fastest WHERE idea = 'omp-ijk')
SELECT idea AS "Variant", part AS "By", 'N = ' || n AS size, gain FROM (
    SELECT f.ord, t.total, f.idea, iif(t.total, 'total time', 'kernel time') AS part, f.n,
           marked(ratio(b.span, iif(t.total, w.whole, f.span)),
                  all_flags(f.flagged, b.flagged)) AS gain
    FROM fastest f JOIN totals w USING (host, experiment, cell) JOIN base b USING (task)
    JOIN (SELECT 0 AS total UNION ALL SELECT 1) t
    WHERE f.idea IN ('cuda-global', 'cuda-shared')
    UNION ALL
    SELECT -1, 0, 'omp-ijk', 'base, its time', n, marked(si(median_s, 's'), flagged) FROM base
    WHERE EXISTS (SELECT 1 FROM good WHERE idea IN ('cuda-global', 'cuda-shared')))
ORDER BY ord, total, n;
