/* C = A A^T in f32 on tensor cores, which multiply TF32: matmul/cuda-3xtf32 for one triangle, the other one mirrored.
 * A (n x k) and C (n x n) are row-major; any size.
 * Blocks own 128 x 128 elements of C on and below the diagonal. If the last blocks would leave multiprocessors idle,
 * several blocks share a tile along k, and a second kernel adds their sums. Both triangles are equal bit for bit.
 * Errors and special values are those of matmul/cuda-3xtf32. It needs wgmma. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/product_async.cuh"
#include "common/split_wgmma.cuh"

CUDA_ENTRY int aat_cuda_3xtf32_prepare(struct job *job)
{
    int built;
    WGMMA_BUILT(job, &built);
    if (!built)
        return job_fail(job, "the kernel needs wgmma, which devices of compute capability 9.0 have");
    return split_wgmma_prepare<true>(job, job->cell->n, job->cell->n, job->cell->k);
}

CUDA_ENTRY void aat_cuda_3xtf32_release(struct job *job)
{
    split_wgmma_release(job);
}

CUDA_ENTRY int aat_cuda_3xtf32_launch(struct job *job)
{
    const int64_t n = job->cell->n, k = job->cell->k;
    const float *const a = (const float *)job->operand[0];
    float *const c = (float *)job->operand[1];
    return k < SPLIT_LEAST_K ? async_aat(job, n, k, a, c) : split_wgmma_multiply<true>(job, n, n, k, a, NULL, c);
}

#else

VARIANT(aat, cuda_3xtf32) = {
    .summary = "f32 products from three TF32 products on tensor cores, one triangle mirrored",
    .summary_ru = "произведения f32 из трёх произведений TF32 на тензорных ядрах, один треугольник отражается",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_FMA,
    .tensor = BIT(F32),
    .split = F32,
    .products = 3,
    .compute_capability = 90,
    .input_floor = 0x1p-136, /* the smallest TF32 number */
    .symmetry = SYMMETRY_MIRRORED,
    .halved = true,
    .typical_gflops = 200000,
    .unmodelled = "wgmma reads its tiles through descriptors, not by loads of lanes",
};

#endif
