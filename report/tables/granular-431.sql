-- Gauss-Seidel over n on three platforms, the source's milliseconds beside ours. SPDX-License-Identifier: MIT
-- caption: Gauss--Seidel in milliseconds: the source's table 4.3.1 (columns marked p) beside ours. The source has no
--   variants in the given order
--
-- GPU times include upload and download. The source timed chaotic relaxation as OpenMP and as GPU; the exact order
-- stands beside it. The GPU's column is the source's launch, blocks of n / 16 threads, or else blocks of 16 threads.
-- group
WITH ours AS (SELECT n, idea, tile, iterations, 1000 * min(coalesce(total_s, median_s)) AS ms FROM good
              GROUP BY n, idea, tile),
racy AS (SELECT *, min(tile <> n / 16) FROM ours WHERE idea = 'cuda-racy' AND tile IN (n / 16, 16) GROUP BY n),
least AS (SELECT n, idea, min(ms) AS ms FROM ours GROUP BY n, idea)
SELECT p.n AS "N",
       sig(p.cpu_ms, 3) AS "CPU p", sig((SELECT ms FROM least WHERE idea = 'seq' AND n = p.n), 3) AS "CPU",
       sig(p.cpu_omp_ms, 3) AS "OpenMP p",
       sig((SELECT ms FROM least WHERE idea = 'omp-racy' AND n = p.n), 3) AS "OpenMP",
       sig((SELECT ms FROM least WHERE idea = 'omp-exact' AND n = p.n), 3) AS "in order",
       sig(p.cuda_ms, 3) AS "GPU p", sig((SELECT ms FROM racy WHERE n = p.n), 3) AS "GPU",
       (SELECT iterations FROM racy WHERE n = p.n) AS "its sweeps",
       (SELECT CAST(least AS INTEGER) || iif(most > least, '..' || CAST(most AS INTEGER), '')
        FROM jacobi_sweeps j WHERE j.n = p.n AND j.precision = 'f64') AS "Jacobi's",
       sig((SELECT ms FROM least WHERE idea = 'cuda-exact' AND n = p.n), 3) AS "GPU in order"
FROM granular_seidel p WHERE p.n IN (SELECT n FROM ours)
ORDER BY p.n;
