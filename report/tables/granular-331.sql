-- Jacobi's method over n and tile on four platforms, the source's milliseconds beside ours.
-- problems: jacobi
-- SPDX-License-Identifier: MIT
-- caption: The source's table 3.3.1 (columns p, $\omega = 1$) beside ours, in milliseconds\each{. \hostbrief{}: at $N =
--   \fact{n}$ Jacobi takes \fact{sweeps} sweeps, with $\omega = \mbox{\fact{omega}}$ \fact{weighted}}
-- caption.ru: Таблица 3.3.1 источника (столбцы «ист.», $\omega = 1$) рядом с нашей, миллисекунды\each{. \hostbrief{}:
--   при $N = \fact{n}$ Якоби — \fact{sweeps}~\forms{sweeps}{итерация}{итерации}{итераций}, с $\omega =
--   \mbox{\fact{omega}}$ — \fact{weighted}}
--
-- GPU times include upload and download, unless a run took too long to be timed with them. A host has those columns of
-- the source beside which it has times. Of the tiles that the source has, the one that is fastest here has a row; a
-- figure shows all of them.
-- group
WITH ours AS (
    SELECT n, tile, idea, 1000 * min(coalesce(total_s, median_s)) AS ms, flagged FROM good
    WHERE problem = 'jacobi' AND omega = 1 AND sweeps IS NULL AND idea IN ('seq', 'omp', 'cuda-hostcheck', 'cuda-tiled')
    GROUP BY n, tile, idea),
tiled AS (
    SELECT o.n, o.tile, min(o.ms) AS ms, o.flagged, p.cuda_tiled_ms
    FROM ours o JOIN granular_jacobi p USING (n, tile) WHERE o.idea = 'cuda-tiled' GROUP BY o.n),
once AS (SELECT *, min(tile) FROM granular_jacobi GROUP BY n)
SELECT p.n AS "N",
       iif('seq' IN (SELECT idea FROM ours), sig(p.cpu_ms, 3), NULL) AS "CPU p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'seq' AND n = p.n) AS "CPU",
       iif('omp' IN (SELECT idea FROM ours), sig(p.cpu_omp_ms, 3), NULL) AS "OpenMP p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'omp' AND n = p.n) AS "OpenMP",
       iif('cuda-hostcheck' IN (SELECT idea FROM ours), sig(p.cuda_ms, 3), NULL) AS "GPU p",
       (SELECT marked(sig(ms), flagged) FROM ours WHERE idea = 'cuda-hostcheck' AND n = p.n) AS "GPU",
       t.tile AS "tile", sig(t.cuda_tiled_ms, 3) AS "GPU tiled p", marked(sig(t.ms), t.flagged) AS "GPU tiled"
FROM once p LEFT JOIN tiled t USING (n) WHERE p.n IN (SELECT n FROM ours)
ORDER BY p.n;

-- facts
SELECT :host AS host, a.n, grouped(a.iterations) AS sweeps,
       fraction(b.omega) AS omega, b.iterations AS weighted
FROM good a JOIN good b ON b.n = a.n AND b.variant = a.variant AND b.precision = a.precision
WHERE a.problem = 'jacobi' AND a.omega = 1 AND b.omega <> 1 AND a.sweeps IS NULL AND b.sweeps IS NULL
ORDER BY a.n DESC, a.ord LIMIT 1;
