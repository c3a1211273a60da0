-- How much of the gap to the library does packing close? SPDX-License-Identifier: MIT
-- asks.ru: Какую часть отставания от библиотеки устраняет упаковка
-- says: With packed blocks and register tiles the rate of the product is \fact{rate}, without them (\code{base})
--   \fact{least_rate}; \code{library} has \fact{library_rate}. \iffact{closed}{They close \fact{closed}\,\% of the gap
--   to the library}\nofact{closed}{\when{gap}{unknown}{Whether the library is faster is
--   undecided}\when{gap}{left}{They close nothing of the gap to the library}\when{gap}{none}{There is no gap to the
--   library to close}} (\fact{precision}, $n =
--   \fact{n}$\iffact{threads}{, \fact{threads}~\plural{threads}{thread}{threads}}).
-- says.ru: С упаковкой блоков и регистровыми тайлами скорость произведения — \fact{rate}, без них (\code{base}) —
--   \fact{least_rate}; у \code{library} — \fact{library_rate}. \iffact{closed}{Это устраняет \fact{closed}\,\%
--   отставания от библиотеки}\nofact{closed}{\when{gap}{unknown}{Быстрее ли библиотека, не
--   установлено}\when{gap}{left}{Отставание от библиотеки не сокращается}\when{gap}{none}{Отставания от
--   библиотеки нет}} (\fact{precision}, $n = \fact{n}$\iffact{threads}{, потоков: \fact{threads}}).
-- rank: 10
-- chapter: matmul
-- facts
-- `beside`: how the packed product compares with the library. `gap`: whether a gap is left to the library.
WITH found AS (
    SELECT v.*, b.title AS library_idea, l.base_gflops AS library_gflops, l.verdict AS beside,
           l.base_flagged AS library_flagged,
           row_number() OVER (PARTITION BY v.host, v.experiment
                              ORDER BY v.n DESC, coalesce(v.threads, 0) DESC, v.precision, v.base_s, b.place) AS turn,
           all_flags(v.flagged, l.flagged) AS any_flagged
    FROM versus v JOIN versus l ON l.host = v.host AND l.experiment = v.experiment AND l.cell = v.cell
    JOIN library_cells b ON b.host = v.host AND b.experiment = v.experiment AND b.task = v.task AND b.side = v.side
      AND b.contract = v.contract AND b.cell = l.base_cell AND b.threads <= v.threads
    WHERE v.problem = 'matmul' AND v.idea = 'omp-packed' AND v.base IN ('omp-tiled-local', 'omp-tiled')
      AND v.base_threads IS v.threads AND v.place = 1 AND v.base_place = 1 AND l.base_gflops > v.base_gflops)
SELECT host, experiment, precision, n, threads, idea, base, library_idea AS library,
       marked(si(1e9 * gflops, 'FLOP/s'), own_flagged) AS rate,
       marked(si(1e9 * base_gflops, 'FLOP/s'), base_flagged) AS least_rate,
       marked(si(1e9 * library_gflops, 'FLOP/s'), library_flagged) AS library_rate,
       CASE WHEN beside IN ('undecided', 'single') THEN 'unknown' WHEN beside = 'slower' THEN 'left'
            ELSE 'none' END AS gap,
       iif(beside IN ('slower', 'single') AND gflops < library_gflops AND gflops > base_gflops,
           marked(sig(100 * (gflops - base_gflops) / (library_gflops - base_gflops)), any_flagged), NULL) AS closed
FROM found WHERE turn = 1 ORDER BY host_ord, n DESC, study_ord;
