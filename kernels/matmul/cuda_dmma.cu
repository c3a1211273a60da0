/* C = A B in f64 on tensor cores: mma of 16 x 8 x 8, or of 8 x 8 x 4 below compute capability 9.0.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape; zeros stand for elements outside.
 * A block owns a tile of C, and a warp a part of it, in registers. The block walks along k; asynchronous copies fill a
 * ring of tiles of A and B in shared memory several steps ahead. A warp loads fragments one product ahead.
 * It needs compute capability 8.0. Differs from cuda-async: the tensor cores multiply. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/dmma.cuh"

typedef dmma_tile<64, 128, 16, 2, 2, 4, 2, false> large_tile;
typedef dmma_tile<64, 64, 16, 2, 2, 4, 2, false> small_tile;

/* Large tiles read less; small tiles employ more multiprocessors where a product has few. */
CUDA_ENTRY int matmul_cuda_dmma_launch(struct job *job)
{
    enum { ENOUGH = 256 }; /* two blocks for each of about 130 multiprocessors */
    const struct cell *cell = job->cell;
    const double *const a = (const double *)job->operand[0], *const b = (const double *)job->operand[1];
    const dmma_product of = {cell->m, cell->n, cell->k, a, b, (double *)job->operand[2]};
    return dmma_blocks<large_tile>(of.m, of.n) < ENOUGH ? dmma_launch<small_tile>(job, of)
                                                        : dmma_launch<large_tile>(job, of);
}

#else

#include "common/dmma_accesses.h"

VARIANT(matmul, cuda_dmma) = {
    .summary = "f64 products on tensor cores, tiles copied asynchronously",
    .summary_ru = "произведения f64 на тензорных ядрах, тайлы копируются асинхронно",
    .source = "tilelab",
    .precisions = BIT(F64),
    .unit = UNIT_FMA,
    .tensor = BIT(F64),
    .compute_capability = 80,
    .typical_gflops = 55000,
    .accesses = &dmma_accesses,
};

#endif
