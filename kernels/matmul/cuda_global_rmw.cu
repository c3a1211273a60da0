/* C = A B with one GPU thread for each element of C, which the thread updates in global memory at every step.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x tile. The kernel also zeroes C, timed.
 * Blocks of tile x tile threads cover C, with x along its rows.
 * No pointer is __restrict__: C might overlap A or B, so each step must store the sum. The compiler may still take the
 * old sum from the register that it has just stored.
 * This is the first rung. Source: oneapi naive.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

template <typename real>
__global__ void matmul_global_rmw(int64_t m, int64_t n, int64_t k, const real *a, const real *b, real *c)
{
    const int64_t row = (int64_t)blockIdx.y * blockDim.y + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= m || col >= n)
        return;
    c[row * n + col] = 0;
    for (int64_t l = 0; l < k; l++)
        c[row * n + col] += a[row * k + l] * b[l * n + col];
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const unsigned tile = (unsigned)cell->tile;
    const dim3 block(tile, tile);
    const dim3 grid((unsigned)((cell->n + tile - 1) / tile), (unsigned)((cell->m + tile - 1) / tile));
    matmul_global_rmw<<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1],
        (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_global_rmw)

#else

static const char *reject(const struct cell *cell)
{
    if (cell->tile < 2 || cell->tile > 32)
        return cell_reason("a thread block has 2 x 2 to 32 x 32 threads; tile is %lld", (long long)cell->tile);
    return cuda_rows_reason("m", cell->m, cell->tile);
}

VARIANT(matmul, cuda_global_rmw) = {
    .summary = "one thread for each element of C, updated in global memory each step",
    .summary_ru = "поток на элемент C, каждый шаг меняет его в глобальной памяти",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .typical_gflops = 1500,
    .reject = reject,
};

#endif
