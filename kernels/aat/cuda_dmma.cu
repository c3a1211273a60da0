/* C = A A^T in f64 on tensor cores: matmul/cuda-dmma for one triangle, the other one mirrored.
 * A (n x k) and C (n x n) are row-major; any size; zeros stand for elements outside.
 * Blocks own 64 x 64 elements of C on and below the diagonal. Larger ones read less, but waste more on it, and no other
 * block multiplies while they store. Each sum is stored twice. Both triangles are equal bit for bit. It needs
 * compute capability 8.0. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/dmma.cuh"

CUDA_ENTRY int aat_cuda_dmma_launch(struct job *job)
{
    const int64_t n = job->cell->n;
    return dmma_launch<dmma_tile<64, 64, 16, 2, 2, 4, 2, true>>(
        job, {n, n, job->cell->k, (const double *)job->operand[0], NULL, (double *)job->operand[1]});
}

#else

#include "common/dmma_accesses.h"

VARIANT(aat, cuda_dmma) = {
    .summary = "f64 products on tensor cores for one triangle, the other one mirrored",
    .summary_ru = "произведения f64 на тензорных ядрах для одного треугольника, другой отражается",
    .source = "tilelab",
    .precisions = BIT(F64),
    .unit = UNIT_FMA,
    .tensor = BIT(F64),
    .compute_capability = 80,
    .symmetry = SYMMETRY_MIRRORED,
    .halved = true,
    .typical_gflops = 100000,
    .accesses = &dmma_accesses,
};

#endif
