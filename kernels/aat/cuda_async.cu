/* C = A A^T as in matmul/cuda-async, but only for blocks of C on and below the diagonal.
 * A (n x k) and C (n x n) are row-major; any size. Compute capability 8.0.
 * A block has 4 warps that multiply and 4 that copy. It owns 128 x 128 elements of C, 8 x 16 a thread, or 64 x 128 if
 * there are few tiles. Then several blocks share each of the last tiles along k. Sums below the diagonal are stored
 * twice, so that both triangles are equal bit for bit.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/product_async.cuh"

/* Two blocks share a multiprocessor. In the second shape, half of a block's warps multiply half of each step. */
typedef async_shape<float, true, 128, 128, 128, 1, 4, 68, 2> large_shape;
typedef async_shape<float, true, 64, 128, 128, 2, 4, 99, 2> small_shape;

struct aat_state {
    product_plan plan;
    float *parts; /* sums of the blocks that share a tile */
    bool small;
};

CUDA_ENTRY void aat_cuda_async_release(struct job *job)
{
    aat_state *const state = (aat_state *)job->state;
    cudaFree(state->parts);
    delete state;
    job->state = NULL;
}

static int make(struct job *job, aat_state *state)
{
    typedef small_shape small;
    const int64_t n = job->cell->n, large = async_tiles<large_shape>(n, n);
    int device, multiprocessors;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const int64_t slots = (int64_t)multiprocessors * small::BLOCKS;
    state->small = large < slots;
    state->plan = {large, 0, 1};
    if (state->small)
        state->plan = product_plan_make(async_tiles<small>(n, n), product_tiles(job->cell->k, small::BK), slots);
    const size_t parts = (size_t)(state->plan.rest * state->plan.parts);
    if (parts > 0)
        CUDA_TRY(job, cudaMalloc(&state->parts, parts * small::BM * small::BN * sizeof(float)));
    return 0;
}

CUDA_ENTRY int aat_cuda_async_prepare(struct job *job)
{
    job->state = new aat_state();
    if (make(job, (aat_state *)job->state) == 0)
        return 0;
    aat_cuda_async_release(job);
    return -1;
}

CUDA_ENTRY int aat_cuda_async_launch(struct job *job)
{
    typedef small_shape small;
    const aat_state *const state = (aat_state *)job->state;
    const int64_t n = job->cell->n;
    const float *const a = (const float *)job->operand[0];
    float *const c = (float *)job->operand[1];
    const async_product<float> of = {n, n, job->cell->k, a, NULL, c, state->parts, state->plan};
    if ((state->small ? async_launch<small>(job, of) : async_launch<large_shape>(job, of)) != 0)
        return -1;
    return product_finish_parts<float, small::BM, small::BN, true>(job, state->plan, state->parts, n, n, c);
}

#else

VARIANT(aat, cuda_async) = {
    .summary = "matmul/cuda-async for the blocks on and below the diagonal, the rest mirrored",
    .summary_ru = "matmul/cuda-async для блоков на диагонали и под ней, остальное отражается",
    .source = "tilelab",
    .precisions = BIT(F32),
    .compute_capability = 80,
    .unit = UNIT_FMA,
    .symmetry = SYMMETRY_MIRRORED,
    .halved = true,
    .typical_gflops = 90000,
    .unmodelled = "the device decides how blocks share the last tiles along k",
};

#endif
