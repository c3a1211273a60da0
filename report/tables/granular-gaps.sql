-- Steps from the source's GPU solver to its tiled one and beyond, as ratios of times, one change at a time.
-- problems: jacobi
-- SPDX-License-Identifier: MIT
-- caption: One change at a time, from the source's GPU solver to its tiled one and beyond, $\omega = 1$\each{.
--   \hostbrief{}, $N = \fact{n}$: of the gap that the source calls tiling, moving the residual to the device is
--   \fact{residual}, the tiles are \fact{tiles}}
-- caption.ru: По одному изменению, от программы источника для GPU к программе с тайлами и дальше, $\omega = 1$\each{.
--   \hostbrief{}, $N = \fact{n}$: в разрыве, который источник называет тайлингом, перенос невязки на устройство —
--   \fact{residual}, тайлы — \fact{tiles}}
--
-- A gap has shares if the whole ratio is faster by its interval, or by a tenth if a cell ran once.
-- The source calls its solvers "GPU" and "GPU (tiling)". Blocks of cuda-hostcheck and cuda-global have 16 threads, and
-- so has the tile here.
-- group
-- align: rllL{0.27}rrr
WITH step(ord, slow, fast, change) AS (VALUES
    (1, 'cuda-hostcheck', 'cuda-tiled', 'called tiling: the next two together'),
    (2, 'cuda-hostcheck', 'cuda-global', 'residual on the device, not the host'),
    (3, 'cuda-global', 'cuda-tiled', 'x staged in tiles'),
    (4, 'cuda-global', 'cuda-warp', 'one coalesced pass; host after a graph'),
    (5, 'cuda-global', 'cuda-persistent', 'one coalesced pass; host at the end')),
point AS (
    SELECT n, machine, idea, tile, median_s, span, flagged, weak
    FROM good
    WHERE problem = 'jacobi' AND precision = 'f64' AND omega = 1 AND sweeps IS NULL AND coalesce(tile, 16) = 16),
ratio AS (
    SELECT s.*, a.n, a.machine, a.median_s / b.median_s AS value, ratio_low(a.span, b.span) AS low,
           ratio_high(a.span, b.span) AS high,
           all_flags(a.flagged, b.flagged) AS flagged, coalesce(a.weak, b.weak) AS weak
    FROM step s JOIN point a ON a.idea = s.slow JOIN point b ON b.idea = s.fast AND b.n = a.n AND b.machine = a.machine)
SELECT r.n AS "N", r.slow AS "Time of", r.fast AS "over that of", r.change AS "What differs",
       marked(ratio(r.value, r.low, r.high), r.flagged) AS "Ratio",
       iif(r.ord = 1, (SELECT sig(max(p.cuda_ms) / max(iif(p.tile = 16, p.cuda_tiled_ms, NULL)), 3)
                       FROM granular_jacobi p WHERE p.n = r.n), NULL)
         AS "Source's",
       iif(r.ord IN (2, 3), marked(sig(100 * ln(r.value) / ln(w.value)), w.flagged, r.flagged) || ' %', NULL)
         AS "Of the gap"
FROM ratio r LEFT JOIN ratio w ON w.n = r.n AND w.machine = r.machine AND w.ord = 1
  AND (verdict(w.value, w.low, w.high, w.weak) = 'faster' OR w.low IS NULL AND w.value > 1.1)
-- The first row is the product of the next two, and tells nothing without one of them.
WHERE 4 * r.n >= (SELECT max(n) FROM ratio)
  AND (r.ord > 1 OR EXISTS (SELECT 1 FROM ratio o WHERE o.ord IN (2, 3) AND o.n = r.n AND o.machine = r.machine))
ORDER BY r.n, r.ord;

-- facts
WITH t AS (
    SELECT n, min(iif(idea = 'cuda-hostcheck', median_s, NULL)) AS host_s,
           min(iif(idea = 'cuda-global', median_s, NULL)) AS global_s,
           min(iif(idea = 'cuda-tiled', median_s, NULL)) AS tiled_s,
           min(iif(idea = 'cuda-hostcheck', span, NULL)) AS host_span,
           min(iif(idea = 'cuda-tiled', span, NULL)) AS tiled_span,
           all_flags(iif(idea IN ('cuda-hostcheck', 'cuda-global', 'cuda-tiled'), flagged, NULL)) AS flagged,
           max(iif(idea IN ('cuda-hostcheck', 'cuda-tiled'), weak, NULL)) AS weak
    FROM good
    WHERE problem = 'jacobi' AND precision = 'f64' AND omega = 1 AND sweeps IS NULL AND coalesce(tile, 16) = 16
    GROUP BY n, machine)
SELECT :host AS host, n, marked(sig(100 * ln(host_s / global_s) / ln(host_s / tiled_s)), flagged) || ' %' AS residual,
       marked(sig(100 * ln(global_s / tiled_s) / ln(host_s / tiled_s)), flagged) || ' %' AS tiles
FROM t
WHERE global_s > 0 AND (verdict(host_span, tiled_span, weak) = 'faster'
                      OR ratio_low(host_span, tiled_span) IS NULL AND host_s > 1.1 * tiled_s)
ORDER BY n DESC LIMIT 1;
