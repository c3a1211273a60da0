/* C = A A^T by square tiles in shared memory. The second tile is read transposed from global memory.
 * A (n x k) and C (n x n) are row-major; n and k are multiples of the tile; n up to 65535 x tile.
 * A block of tile x tile threads owns a tile of C. In each pass along k, a thread loads one element of either tile.
 * A warp's loads of the second tile walk down a column of A: they are not coalesced, but the stores have no conflicts.
 * Differs from cuda-global: a block reads an element from global memory once, not once a thread.
 * Source: lab5 (A).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(8) EACH(16) EACH(32)

#ifdef __CUDACC__

template <typename real, int TILE>
__global__ void __launch_bounds__((TILE * TILE))
    aat_a(int64_t n, int64_t k, const real *__restrict__ a, real *__restrict__ c)
{
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = threadIdx.y, x = threadIdx.x;
    const int64_t first_row = (int64_t)blockIdx.y * TILE, first_col = (int64_t)blockIdx.x * TILE;
    real sum = 0;
    for (int64_t first = 0; first < k; first += TILE) {
        a_tile[y][x] = a[(first_row + y) * k + first + x];
        b_tile[y][x] = a[(first_col + x) * k + first + y];
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y][l] * b_tile[l][x];
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
    c[(first_row + y) * n + first_col + x] = sum;
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE);
    const dim3 grid((unsigned)(cell->n / TILE), (unsigned)(cell->n / TILE));
    aat_a<real, TILE><<<grid, block, 0, (cudaStream_t)job->stream>>>(cell->n, cell->k, (const real *)job->operand[0],
                                                                     (real *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_FLOAT(aat_cuda_a)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    return smem_square_reason(cell, smem_two_tiles_bytes(cell), CUDA_LIST(TILES));
}

/* a[first_col + x][first + y] */
static int64_t load_b(const struct execution *at, int x, int y)
{
    return smem_load_at(at, y, x);
}

static const struct access sites[] = {
    SMEM_SITES(NULL, load_b, smem_store_b_tile, smem_read_b_tile),
    {0},
};

static const struct accesses accesses = {smem_geometry, smem_two_tiles_bytes, sites};

VARIANT(aat, cuda_a) = {
    .summary = "tiles in shared memory, uncoalesced loads, stores without bank conflicts",
    .summary_ru = "тайлы в разделяемой памяти, загрузки не объединены, запись без конфликтов банков",
    .source = "lab5",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 4000,
    .reject = reject,
};

#endif
