-- Jacobi's method over n and tile on four platforms, the source's milliseconds beside ours.
-- problems: jacobi
-- SPDX-License-Identifier: MIT
-- caption: The source's table 3.3.1 (columns p, $\omega = 1$) beside ours, in milliseconds\each{. \hostbrief{}: at $N =
--   \fact{n}$ Jacobi takes \fact{sweeps} sweeps, with $\omega = \mbox{\fact{omega}}$ \fact{weighted}}
-- caption.ru: Таблица 3.3.1 источника (столбцы «ист.», $\omega = 1$) рядом с нашей, миллисекунды\each{. \hostbrief{}:
--   при $N = \fact{n}$ Якоби — \fact{sweeps}~\forms{sweeps}{итерация}{итерации}{итераций}, с $\omega =
--   \mbox{\fact{omega}}$ — \fact{weighted}}
--
-- GPU times include upload and download, unless a run took too long to be timed with them.
-- group
WITH ours AS (
    SELECT n, tile, idea, 1000 * min(coalesce(total_s, median_s)) AS ms, flagged FROM good
    WHERE problem = 'jacobi' AND omega = 1 AND sweeps IS NULL AND idea IN ('seq', 'omp', 'cuda-hostcheck', 'cuda-tiled')
    GROUP BY n, tile, idea),
once AS (SELECT n, min(tile) AS tile FROM granular_jacobi GROUP BY n)
SELECT p.n AS "N", p.tile AS "tile", sig(p.cpu_ms, 3) AS "CPU p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'seq' AND n = o.n) AS "CPU",
       sig(p.cpu_omp_ms, 3) AS "OpenMP p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'omp' AND n = o.n) AS "OpenMP",
       sig(p.cuda_ms, 3) AS "GPU p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'cuda-hostcheck' AND n = o.n) AS "GPU",
       sig(p.cuda_tiled_ms, 3) AS "GPU tiled p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'cuda-tiled' AND n = p.n AND tile = p.tile)
         AS "GPU tiled"
FROM granular_jacobi p LEFT JOIN once o USING (n, tile)
-- A tile that was not measured here has no row beside that of the untiled programs.
WHERE p.n IN (SELECT n FROM ours)
  AND (o.n IS NOT NULL
       OR EXISTS (SELECT 1 FROM ours WHERE idea = 'cuda-tiled' AND ours.n = p.n AND ours.tile = p.tile))
ORDER BY p.n, p.tile;

-- facts
SELECT :host AS host, a.n, grouped(a.iterations) AS sweeps,
       fraction(b.omega) AS omega, b.iterations AS weighted
FROM good a JOIN good b ON b.n = a.n AND b.variant = a.variant AND b.precision = a.precision
WHERE a.problem = 'jacobi' AND a.omega = 1 AND b.omega <> 1 AND a.sweeps IS NULL AND b.sweeps IS NULL
ORDER BY a.n DESC, a.ord LIMIT 1;
