/* C = A A^T in f64 on tensor cores: matmul/cuda-dmma for one triangle, the other one mirrored.
 * A (n x k) and C (n x n) are row-major; any size; zeros stand for elements outside.
 * Blocks own 128 x 128 elements of C on and below the diagonal, or 64 x 64 if large tiles idle multiprocessors.
 * A thread stores each sum twice. Both triangles are equal bit for bit. It needs compute capability 8.0.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/dmma.cuh"

typedef dmma_tile<128, 128, 16, 4, 2, 4, 1, true> large_tile;
typedef dmma_tile<64, 64, 16, 2, 2, 4, 2, true> small_tile;

CUDA_ENTRY int aat_cuda_dmma_launch(struct job *job)
{
    enum { LARGE = 3000 }; /* from this n on, the last blocks that run beside idle multiprocessors cost little */
    const int64_t n = job->cell->n;
    const dmma_product of = {n, n, job->cell->k, (const double *)job->operand[0], NULL, (double *)job->operand[1]};
    return n < LARGE ? dmma_launch<small_tile>(job, of) : dmma_launch<large_tile>(job, of);
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
