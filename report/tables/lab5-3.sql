-- GFLOP/s of the sequential, OpenMP and GPU programs. SPDX-License-Identifier: MIT
-- caption: GFLOP/s of the laboratory's sequential, OpenMP and GPU programs and of the libraries, as far as they ran
-- caption.ru: GFLOP/s программ лабораторной работы (последовательной, с OpenMP и для GPU) и библиотек, насколько они
--   выполнялись
--
-- pivot: size rate
SELECT idea AS "Variant", 'N = ' || n AS size, sig(max(gflops), 3) AS rate
FROM good WHERE idea IN ('seq-ijk', 'omp-ijk', 'cuda-global', 'cuda-shared') OR vendor
GROUP BY variant, precision, n ORDER BY ord, n;
