-- GFLOP/s of the sequential, OpenMP and GPU programs. SPDX-License-Identifier: MIT
-- problems: matmul
-- caption: GFLOP/s of the laboratory's sequential, OpenMP and GPU programs and of the libraries, as far as they ran
-- caption.ru: Скорость в ГФЛОП/с: программы лабораторной работы (последовательная, OpenMP, GPU) и библиотеки,
--   насколько они выполнялись
--
-- pivot: size rate
SELECT idea AS "Variant", 'N = ' || n AS size, marked(sig(max(gflops)), flagged) AS rate
FROM good WHERE idea IN ('seq-ijk', 'omp-ijk', 'cuda-global', 'cuda-shared') OR vendor
GROUP BY variant, precision, n ORDER BY ord, n;
