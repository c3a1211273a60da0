/* C = A B with one GPU thread for each element of C, which the thread sums in a register.
 * A (m x k), B (k x n) and C (m x n) are row-major, read from global memory through the caches.
 * Blocks of tile x tile threads cover C, with x along its rows: a warp reads B and writes C coalesced.
 * Edges are guarded, so m, n and k are any; m up to 65535 x tile, the most blocks that CUDA takes along y.
 * Differs from cuda-global-rmw: C is written once.
 * Source: oneapi base, lab5 global, feup B, granular GPU.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

template <typename real>
__global__ void matmul_global(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                              real *__restrict__ c)
{
    const int64_t row = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    real sum = 0;
    for (int64_t l = 0; l < k; l++)
        sum += a[row * k + l] * b[l * n + col];
    c[row * n + col] = sum;
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const unsigned tile = (unsigned)cell->tile;
    const dim3 block(tile, tile);
    const dim3 grid((unsigned)((cell->n + tile - 1) / tile), (unsigned)((cell->m + tile - 1) / tile));
    matmul_global<<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1],
        (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_global)

#else

static const char *reject(const struct cell *cell)
{
    if (cell->tile < 2 || cell->tile > 32)
        return cell_reason("a thread block has 2 x 2 to 32 x 32 threads; tile is %lld", (long long)cell->tile);
    return cuda_rows_reason("m", cell->m, cell->tile);
}

VARIANT(matmul, cuda_global) = {
    .summary = "one thread for each element of C, the sum in a register",
    .summary_ru = "один поток на элемент C, сумма в регистре",
    .source = "oneapi, lab5, feup, granular",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .typical_gflops = 5000,
    .reject = reject,
};

#endif
