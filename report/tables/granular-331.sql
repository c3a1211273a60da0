-- Jacobi's method over n and tile on four platforms, the source's milliseconds beside ours.
-- SPDX-License-Identifier: MIT
-- caption: Jacobi's method ($\omega = 1$) in milliseconds: the source's table 3.3.1 (columns marked p) beside ours.
--   The source's GPU times include allocation, upload and every copy of every sweep. Our GPU times include the upload,
--   every sweep with its copies, and the download. Where one run takes so long that it is timed once, they are the
--   sweeps alone
--
-- GPU times include upload and download, unless a run took too long to be timed with them.
-- group
WITH ours AS (
    SELECT n, tile, idea, 1000 * min(coalesce(total_s, median_s)) AS ms FROM good
    WHERE problem = 'jacobi' AND omega = 1 AND sweeps IS NULL AND idea IN ('seq', 'omp', 'cuda-hostcheck', 'cuda-tiled')
    GROUP BY n, tile, idea),
once AS (SELECT n, min(tile) AS tile FROM granular_jacobi GROUP BY n)
SELECT p.n AS "N", p.tile AS "tile", sig(p.cpu_ms, 3) AS "CPU p",
       sig((SELECT ms FROM ours WHERE idea = 'seq' AND n = o.n), 3) AS "CPU",
       sig(p.cpu_omp_ms, 3) AS "OpenMP p", sig((SELECT ms FROM ours WHERE idea = 'omp' AND n = o.n), 3) AS "OpenMP",
       sig(p.cuda_ms, 3) AS "GPU p", sig((SELECT ms FROM ours WHERE idea = 'cuda-hostcheck' AND n = o.n), 3) AS "GPU",
       sig(p.cuda_tiled_ms, 3) AS "GPU tiled p",
       sig((SELECT ms FROM ours WHERE idea = 'cuda-tiled' AND n = p.n AND tile = p.tile), 3) AS "GPU tiled"
FROM granular_jacobi p LEFT JOIN once o USING (n, tile)
WHERE p.n IN (SELECT n FROM ours)
ORDER BY p.n, p.tile;
