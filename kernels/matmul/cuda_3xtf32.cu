/* C = A B in f32 on tensor cores, which multiply TF32: each element is the sum of a big and a small TF32 number.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape; zeros stand for elements outside.
 * Three products of parts replace a product; the fourth is below the rounding of f32. Tensor cores truncate sums, so
 * sums over 64 steps along k or fewer leave them, and are added in f32. Code for 9.0a uses wgmma, other code mma. Up
 * to k = 128 ordinary cores multiply, in f32. doc/accuracy.md tells the errors. It needs compute capability 8.0.
 * Source: tilelab, after Markidis et al. (2018), CUTLASS's 3xTF32, and Ootomo and Yokota (2022).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/product_async.cuh"
#include "common/split_wgmma.cuh"
#include "split_mma.cuh"

typedef split_mma_tile<64, 128, 32, 2, 2, 3, 2> mma_tile;

/* The split_wgmma_state is NULL if the device runs other code than that for 9.0a. */
CUDA_ENTRY int matmul_cuda_3xtf32_prepare(struct job *job)
{
    const struct cell *cell = job->cell;
    int built;
    WGMMA_BUILT(job, &built);
    return built ? split_wgmma_prepare<false>(job, cell->m, cell->n, cell->k) : 0;
}

CUDA_ENTRY void matmul_cuda_3xtf32_release(struct job *job)
{
    split_wgmma_release(job);
}

template <bool WIDE> static int launch_mma(struct job *job)
{
    typedef mma_tile tile;
    const struct cell *cell = job->cell;
    const int64_t blocks = product_tiles(cell->m, tile::BM) * product_tiles(cell->n, tile::BN);
    CUDA_TRY(job, cudaFuncSetAttribute(matmul_split_mma<tile, WIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    matmul_split_mma<tile, WIDE><<<(unsigned)blocks, tile::THREADS, tile::SHARED_BYTES, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const float *)job->operand[0], (const float *)job->operand[1],
        (float *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int matmul_cuda_3xtf32_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const int64_t m = cell->m, n = cell->n, k = cell->k;
    const float *const a = (const float *)job->operand[0], *const b = (const float *)job->operand[1];
    float *const c = (float *)job->operand[2];
    if (k < SPLIT_LEAST_K)
        return async_matmul(job, m, n, k, a, b, c);
    if (job->state)
        return split_wgmma_multiply<false>(job, m, n, k, a, b, c);
    return n % 4 == 0 && k % 4 == 0 ? launch_mma<true>(job) : launch_mma<false>(job);
}

#else

VARIANT(matmul, cuda_3xtf32) = {
    .summary = "f32 products from three TF32 products on tensor cores",
    .summary_ru = "произведения f32 из трёх произведений TF32 на тензорных ядрах",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_FMA,
    .tensor = BIT(F32),
    .split = F32,
    .products = 3,
    .compute_capability = 80,
    .input_floor = 0x1p-136, /* the smallest TF32 number */
    .typical_gflops = 100000,
    .unmodelled = "wgmma reads its tiles through descriptors, not by loads of lanes",
};

#endif
