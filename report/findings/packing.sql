-- What does packing close of the gap to the library? SPDX-License-Identifier: MIT
-- asks.ru: Какую часть отставания от библиотеки устраняет упаковка
-- says: Packed blocks and register tiles take the product from \fact{least_rate} (\code{base}) to \fact{rate};
--   \code{library} has \fact{library_rate}. \iffact{closed}{They close \fact{closed}\,\% of the gap to the
--   library}\nofact{closed}{There is no gap to the library to close} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}).
-- says.ru: С упаковкой блоков и регистровыми тайлами скорость произведения — \fact{rate}, без них (\code{base}) —
--   \fact{least_rate}; у \code{library} — \fact{library_rate}. \iffact{closed}{Это устраняет \fact{closed}\,\%
--   отставания от библиотеки}\nofact{closed}{Отставания от библиотеки нет} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, потоков: \fact{threads}}).
-- rank: 10
-- chapter: matmul
-- facts
WITH found AS (
    SELECT v.*, l.idea AS library_idea, l.gflops AS library_gflops,
           row_number() OVER (PARTITION BY v.host, v.experiment
                              ORDER BY v.n DESC, coalesce(v.threads, 0) DESC, v.precision, v.base_s, l.median_s) AS turn
    FROM versus v JOIN cells l ON l.host = v.host AND l.experiment = v.experiment AND l.task = v.task
      AND l.threads IS v.threads AND l.vendor AND l.side = 'CPU'
    WHERE v.problem = 'matmul' AND v.idea = 'omp-packed' AND v.base IN ('omp-tiled-local', 'omp-tiled')
      AND v.base_threads IS v.threads AND v.place = 1 AND v.base_place = 1 AND l.gflops > v.base_gflops)
SELECT host, experiment, precision, n, threads, base, library_idea AS library, si(1e9 * gflops, 'FLOP/s') AS rate,
       si(1e9 * base_gflops, 'FLOP/s') AS least_rate, si(1e9 * library_gflops, 'FLOP/s') AS library_rate,
       iif(gflops < 0.98 * library_gflops, sig(100 * (gflops - base_gflops) / (library_gflops - base_gflops), 2), NULL)
         AS closed
FROM found WHERE turn = 1 ORDER BY host_ord, n DESC, study_ord;
