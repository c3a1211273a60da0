-- Gauss-Seidel over n on three platforms, the source's milliseconds beside ours. SPDX-License-Identifier: MIT
-- problems: seidel
-- caption: The source's table 4.3.1 (columns p) beside ours, in milliseconds with copies\each{. \hostbrief{}: at $N =
--   \fact{n}$ the GPU program in blocks of \fact{tile} threads takes \fact{sweeps} sweeps\iffact{seidel}{,
--   Gauss--Seidel \fact{seidel}}, Jacobi \range{jacobi_least}{jacobi_most}}
-- caption.ru: Таблица 4.3.1 источника рядом с нашей, мс с копированием\each{. \hostbrief{}, $N = \fact{n}$: программа
--   для GPU с блоками по \fact{tile} \forms{tile}{потоку}{потока}{потоков} —
--   \fact{sweeps}~\forms{sweeps}{итерация}{итерации}{итераций}\iffact{seidel}{, Гаусс--Зейдель — \fact{seidel}}, Якоби
--   — \range{jacobi_least}{jacobi_most}}
--
-- GPU times include upload and download. The source timed chaotic relaxation as OpenMP and as GPU; the exact order
-- stands beside it. The GPU's column is the source's launch, blocks of n / 16 threads, or else blocks of 16 threads.
-- A host has those columns of the source beside which it has times.
-- group
WITH ours AS (SELECT n, idea, tile, iterations, 1000 * min(coalesce(total_s, median_s)) AS ms, flagged FROM good
              GROUP BY n, idea, tile),
racy AS (SELECT *, min(tile <> n / 16) FROM ours WHERE idea = 'cuda-racy' AND tile IN (n / 16, 16) GROUP BY n),
least AS (SELECT n, idea, min(ms) AS ms, flagged FROM ours GROUP BY n, idea)
SELECT p.n AS "N",
       iif('seq' IN (SELECT idea FROM ours), sig(p.cpu_ms, 3), NULL) AS "CPU p",
       (SELECT marked(sig(ms), flagged) FROM least WHERE idea = 'seq' AND n = p.n) AS "CPU",
       iif('omp-racy' IN (SELECT idea FROM ours), sig(p.cpu_omp_ms, 3), NULL) AS "OpenMP p",
       (SELECT marked(sig(ms), flagged) FROM least WHERE idea = 'omp-racy' AND n = p.n) AS "OpenMP",
       (SELECT marked(sig(ms), flagged) FROM least WHERE idea = 'omp-exact' AND n = p.n) AS "in order",
       iif('cuda-racy' IN (SELECT idea FROM ours), sig(p.cuda_ms, 3), NULL) AS "GPU p",
       (SELECT marked(sig(ms), flagged) FROM racy WHERE n = p.n) AS "GPU",
       (SELECT iterations FROM racy WHERE n = p.n) AS "GPU sweeps",
       (SELECT CAST(least AS INTEGER) || iif(most > least, '..' || CAST(most AS INTEGER), '')
        FROM jacobi_here j WHERE j.n = p.n AND j.precision = 'f64') AS "Jacobi's",
       (SELECT marked(sig(ms), flagged) FROM least WHERE idea = 'cuda-exact' AND n = p.n) AS "GPU in order"
FROM granular_seidel p WHERE p.n IN (SELECT n FROM ours)
ORDER BY p.n;

-- facts
WITH racy AS (SELECT n, tile, iterations, min(tile <> n / 16) FROM good
              WHERE idea = 'cuda-racy' AND tile IN (n / 16, 16) AND NOT coalesce(stale, 0)
              GROUP BY n ORDER BY n DESC LIMIT 1)
SELECT :host AS host, r.n, r.tile, grouped(r.iterations) AS sweeps,
       (SELECT min(iterations) FROM good g WHERE g.idea = 'seq' AND g.n = r.n) AS seidel,
       grouped(CAST(j.least AS INTEGER)) AS jacobi_least,
       grouped(CAST(j.most AS INTEGER)) AS jacobi_most
FROM racy r JOIN jacobi_here j ON j.n = r.n AND j.precision = 'f64';
