/* C = A B by square tiles in shared memory, four elements of C a thread.
 * A is m x k, B k x n, C m x n, row-major, no guards: m, n, k are multiples of tile 4, 8, 16 or 32.
 * A block of tile x tile/4 threads owns a tile of C: a thread loads four elements of either tile,
 * and sums four rows, tile/4 apart, of a column, unrolled by 2. m up to 65535 x tile.
 * Differs from cuda-shared: an element of B's tile, once read, serves four products.
 * Source: oneapi block+.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

static const char *reject(const struct cell *cell)
{
    const int64_t tile = cell->tile, shared_bytes = 2 * tile * tile * cell_element_bytes(cell);
    const char *reason = cuda_tile_reason(tile, 4, tile * tile / 4, shared_bytes);
    reason = reason ? reason : multiple_reason("m", cell->m, tile);
    reason = reason ? reason : multiple_reason("n", cell->n, tile);
    reason = reason ? reason : multiple_reason("k", cell->k, tile);
    return reason ? reason : cuda_rows_reason("m", cell->m, tile);
}

VARIANT(matmul, cuda_shared_x4) = {
    .summary = "cuda-shared with four rows of C a thread",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .typical_gflops = 10000,
    .reject = reject,
};

#else

template <typename real, int TILE>
__global__ void __launch_bounds__((TILE * TILE) / 4)
    matmul_shared_x4(int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                     real *__restrict__ c)
{
    enum { ROWS = 4, APART = TILE / ROWS };
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = threadIdx.y, x = threadIdx.x; /* y < APART */
    const int64_t row = (int64_t)blockIdx.y * TILE + y, col = (int64_t)blockIdx.x * TILE + x;
    real sum[ROWS] = {};
    for (int64_t first = 0; first < k; first += TILE) {
#pragma unroll
        for (int i = 0; i < ROWS; i++) {
            a_tile[y + i * APART][x] = a[(row + i * APART) * k + first + x];
            b_tile[y + i * APART][x] = b[(first + y + i * APART) * n + col];
        }
        __syncthreads(); /* both tiles are complete before anyone reads them */
#pragma unroll 2
        for (int l = 0; l < TILE; l++) {
            const real b_element = b_tile[l][x];
#pragma unroll
            for (int i = 0; i < ROWS; i++)
                sum[i] += a_tile[y + i * APART][l] * b_element;
        }
        __syncthreads(); /* everyone has read them before the next pass overwrites them */
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        c[(row + i * APART) * n + col] = sum[i];
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE / 4);
    const dim3 grid((unsigned)(cell->n / TILE), (unsigned)(cell->m / TILE));
    matmul_shared_x4<real, TILE><<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1],
        (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename real> static int launch(struct job *job)
{
    CUDA_BY_TILE(job, launch_tile, real, 4);
}

CUDA_ENTRY int matmul_cuda_shared_x4_launch(struct job *job)
{
    CUDA_BY_PRECISION(job, launch);
}

#endif
