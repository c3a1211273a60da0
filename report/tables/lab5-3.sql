-- GFLOP/s of OpenMP and of the GPU kernels. SPDX-License-Identifier: MIT
-- pivot: size rate
SELECT idea AS "Variant", 'N = ' || n AS size, sig(max(gflops), 3) AS rate
FROM good WHERE idea IN ('seq-ijk', 'omp-ijk', 'cuda-global', 'cuda-shared') OR vendor
GROUP BY variant, precision, n ORDER BY ord, n;
