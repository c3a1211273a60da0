/* C = A B in f32 on tensor cores, which multiply FP16: each element is a scale times a big and a small FP16 number.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape. One pass splits A and B in tiles of 128 x 64, each with
 * a scale of its own, into memory as large as A and B. Three products of parts then replace a product, as in
 * cuda-3xtf32. FP16 has a narrow range: if a tile holds numbers of too different sizes, the device notices this, and
 * cuda-3xtf32's kernel computes C again. It needs wgmma.
 * Source: tilelab, after Markidis et al. (2018), and Ootomo and Yokota (2022).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/product_async.cuh"
#include "common/split_wgmma.cuh"
#include "half_wgmma.cuh"

struct half_state {
    int64_t tiles;
    uint4 *parts;
    half_facts *facts;
    int *unsafe;
};

static int make(struct job *job, half_state *state)
{
    const struct cell *cell = job->cell;
    int built;
    WGMMA_BUILT(job, &built);
    if (!built)
        return job_fail(job, "the kernel needs wgmma, which devices of compute capability 9.0 have");
    state->tiles = (product_tiles(cell->m, half_tile::ROWS) + product_tiles(cell->n, half_tile::ROWS)) *
                   product_tiles(cell->k, half_tile::BK);
    CUDA_TRY(job, cudaMalloc(&state->parts, (size_t)state->tiles * half_tile::BYTES));
    CUDA_TRY(job, cudaMalloc(&state->facts, (size_t)state->tiles * sizeof *state->facts));
    CUDA_TRY(job, cudaMalloc(&state->unsafe, sizeof *state->unsafe));
    return 0;
}

CUDA_ENTRY void matmul_cuda_3xf16_release(struct job *job)
{
    half_state *const state = (half_state *)job->state;
    cudaFree(state->parts);
    cudaFree(state->facts);
    cudaFree(state->unsafe);
    delete state;
    job->state = NULL;
}

CUDA_ENTRY int matmul_cuda_3xf16_prepare(struct job *job)
{
    job->state = new half_state();
    if (make(job, (half_state *)job->state) == 0)
        return 0;
    matmul_cuda_3xf16_release(job);
    return -1;
}

template <bool WIDE> static int launch_wide(struct job *job)
{
    typedef half_wgmma tile;
    typedef split_wgmma other;
    const struct cell *cell = job->cell;
    const half_state *const state = (half_state *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const int64_t m = cell->m, n = cell->n, k = cell->k;
    const float *const a = (const float *)job->operand[0], *const b = (const float *)job->operand[1];
    float *const c = (float *)job->operand[2];
    const unsigned blocks = (unsigned)(product_tiles(m, tile::BM) * product_tiles(n, tile::BN));
    const product_plan again = {product_tiles(m, other::BM) * product_tiles(n, other::BN), 0, 1};
    CUDA_TRY(job, cudaFuncSetAttribute(matmul_half_wgmma<WIDE>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       tile::SHARED_BYTES));
    CUDA_TRY(job, cudaMemsetAsync(state->unsafe, 0, sizeof *state->unsafe, stream));
    matmul_half_split<WIDE>
        <<<(unsigned)state->tiles, half_tile::THREADS, 0, stream>>>(m, n, k, a, b, state->parts, state->facts);
    CUDA_TRY(job, cudaGetLastError());
    matmul_half_wgmma<WIDE>
        <<<blocks, tile::THREADS, tile::SHARED_BYTES, stream>>>(m, n, k, state->parts, state->facts, c, state->unsafe);
    CUDA_TRY(job, cudaGetLastError());
    /* cuda-3xtf32's kernel, if the FP16 products were unsafe. */
    return split_wgmma_launch<false>(job, {m, n, k, a, b, c, NULL, again, split_wgmma_chunk(k, false)}, state->unsafe);
}

CUDA_ENTRY int matmul_cuda_3xf16_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    if (cell->k < SPLIT_LEAST_K)
        return async_matmul(job, cell->m, cell->n, cell->k, (const float *)job->operand[0],
                            (const float *)job->operand[1], (float *)job->operand[2]);
    return job->cell->n % 4 == 0 && job->cell->k % 4 == 0 ? launch_wide<true>(job) : launch_wide<false>(job);
}

#else

VARIANT(matmul, cuda_3xf16) = {
    .summary = "f32 products from three scaled FP16 products on tensor cores",
    .summary_ru = "произведения f32 из трёх масштабированных произведений FP16 на тензорных ядрах",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_FMA,
    .tensor = BIT(F32),
    .parts = "f16",
    .split = F32,
    .products = 3,
    .compute_capability = 90,
    .input_floor = 0x1p-136, /* the smallest TF32 number */
    .typical_gflops = 150000,
    .unmodelled = "wgmma reads its tiles through descriptors, not by loads of lanes",
};

#endif
