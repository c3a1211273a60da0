/* C = A B by square tiles of A and B in shared memory.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x tile; zeros stand for elements outside.
 * A block of tile x tile threads owns a tile of C. In each pass along k, a thread loads one element of either tile.
 * Differs from cuda-global: a block reads an element from global memory once, not once a thread.
 * Source: oneapi block, lab5 shared, granular tiled.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(2) EACH(4) EACH(8) EACH(16) EACH(32)

#ifdef __CUDACC__

template <typename real, int TILE>
__global__ void __launch_bounds__((TILE * TILE))
    matmul_shared(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                  real *__restrict__ c)
{
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = threadIdx.y, x = threadIdx.x;
    const int64_t row = (int64_t)blockIdx.y * TILE + y, col = (int64_t)blockIdx.x * TILE + x;
    real sum = 0;
    for (int64_t first = 0; first < k; first += TILE) {
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : real(0);
        b_tile[y][x] = first + y < k && col < n ? b[(first + y) * n + col] : real(0);
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y][l] * b_tile[l][x];
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE);
    const dim3 grid((unsigned)((cell->n + TILE - 1) / TILE), (unsigned)((cell->m + TILE - 1) / TILE));
    matmul_shared<real, TILE>
        <<<grid, block, 0, (cudaStream_t)job->stream>>>(cell->m, cell->n, cell->k, (const real *)job->operand[0],
                                                        (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_PRECISION(matmul_cuda_shared)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    const int64_t tile = cell->tile;
    const char *reason = cuda_block_reason(tile, tile * tile, smem_two_tiles_bytes(cell));
    reason = reason ? reason : cuda_built_reason("tile", tile, CUDA_LIST(TILES));
    return reason ? reason : cuda_rows_reason("m", cell->m, tile);
}

/* b[first + y][col] */
static int64_t load_b(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    return smem_global(cell, cell->k, cell->n, at->pass * cell->tile + y, at->block_x * cell->tile + x);
}

static const struct access sites[] = {
    SMEM_SITES(NULL, load_b, smem_store_b_tile, smem_read_b_tile),
    {0},
};

static const struct accesses accesses = {smem_geometry, smem_two_tiles_bytes, sites};

VARIANT(matmul, cuda_shared) = {
    .summary = "square tiles of A and B in shared memory, any matrix size",
    .summary_ru = "квадратные тайлы A и B в разделяемой памяти, любой размер матрицы",
    .source = "oneapi, lab5, granular",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 7000,
    .reject = reject,
};

#endif
