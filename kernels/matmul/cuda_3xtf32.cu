/* C = A B in f32 on tensor cores, which multiply TF32: each element is the sum of a big and a small TF32 number.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape; zeros stand for elements outside.
 * Three products of parts replace a product; the fourth is below the rounding of f32. Tensor cores truncate sums, so
 * sums over 64 steps along k or fewer leave them, and are added in f32. Code for 9.0a uses wgmma, other code mma.
 * Elements lose their bits below 2^-136, infinite elements give NaN. It needs compute capability 8.0.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(matmul, cuda_3xtf32) = {
    .summary = "f32 products from three TF32 products on tensor cores",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_FMA,
    .tensor = BIT(F32),
    .compute_capability = 80,
    .input_roundoff = 0x1p-21, /* the parts keep 22 bits or more, and the fourth product is left out */
    .typical_gflops = 100000,
};

#else

#include "split_mma.cuh"
#include "split_wgmma.cuh"

typedef split_mma_tile<64, 128, 32, 2, 2, 3, 2> mma_tile;

/* Asks which code the device runs. */
CUDA_ENTRY int matmul_cuda_3xtf32_prepare(struct job *job)
{
    int built;
    WGMMA_BUILT(job, &built);
    job->state = (void *)(intptr_t)built;
    return 0;
}

typedef void kernel(int64_t m, int64_t n, int64_t k, const float *a, const float *b, float *c);

template <typename tile> static int launch_kernel(struct job *job, kernel *run)
{
    const struct cell *cell = job->cell;
    const int64_t blocks = product_tiles(cell->m, tile::M) * product_tiles(cell->n, tile::N);
    CUDA_TRY(job, cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, tile::SHARED_BYTES));
    run<<<(unsigned)blocks, tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const float *)job->operand[0], (const float *)job->operand[1],
        (float *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int matmul_cuda_3xtf32_launch(struct job *job)
{
    const bool wide = job->cell->n % 4 == 0 && job->cell->k % 4 == 0;
    if (job->state)
        return launch_kernel<split_wgmma>(job, wide ? matmul_split_wgmma<true> : matmul_split_wgmma<false>);
    return launch_kernel<mma_tile>(job, wide ? matmul_split_mma<mma_tile, true> : matmul_split_mma<mma_tile, false>);
}

#endif
