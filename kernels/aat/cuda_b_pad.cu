/* C = A A^T as in cuda-b, but each row of the transposed tile has `padding` unused columns at its end.
 * A (n x k) and C (n x n) are row-major; n and k are multiples of the tile; n up to 65535 x tile.
 * A block of tile x tile threads owns a tile of C. In each pass along k, a thread loads one element of either tile.
 * One column of padding shifts each row by a bank, so a warp's store down a column goes to all 32 banks.
 * At tile 8 and 16 a warp stores several columns, and another padding can be the best.
 * Source: lab5 (B*), after Ruetsch and Micikevicius (2009).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles and paddings that the kernel is built for. */
#define TILES(EACH) EACH(8) EACH(16) EACH(32)
#define PADDINGS(EACH) EACH(1) EACH(2) EACH(3) EACH(4)

#ifdef __CUDACC__

template <typename real, int TILE, int PADDING>
__global__ void __launch_bounds__((TILE * TILE))
    aat_b_pad(int64_t n, int64_t k, const real *__restrict__ a, real *__restrict__ c)
{
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE + PADDING];
    const int y = threadIdx.y, x = threadIdx.x;
    const int64_t first_row = (int64_t)blockIdx.y * TILE, first_col = (int64_t)blockIdx.x * TILE;
    real sum = 0;
    for (int64_t first = 0; first < k; first += TILE) {
        a_tile[y][x] = a[(first_row + y) * k + first + x];
        b_tile[x][y] = a[(first_col + y) * k + first + x];
        __syncthreads(); /* both tiles are complete before any thread reads them */
#pragma unroll
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y][l] * b_tile[l][x];
        __syncthreads(); /* all threads have read the tiles before the next pass overwrites them */
    }
    c[(first_row + y) * n + first_col + x] = sum;
}

template <typename real, int TILE, int PADDING> static int launch_padded(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE);
    const dim3 grid((unsigned)(cell->n / TILE), (unsigned)(cell->n / TILE));
    aat_b_pad<real, TILE, PADDING><<<grid, block, 0, (cudaStream_t)job->stream>>>(
        cell->n, cell->k, (const real *)job->operand[0], (real *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
#define PADDING_CASE(padding) \
    case padding: \
        return launch_padded<real, TILE, padding>(job);
    switch (job->cell->padding) {
        PADDINGS(PADDING_CASE)
    }
    return job_fail(job, "padding %lld has no kernel", (long long)job->cell->padding);
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_FLOAT(aat_cuda_b_pad)

#else
#include "common/smem_tiles.h"

static int64_t shared_bytes(const struct cell *cell)
{
    return smem_two_tiles_bytes(cell) + cell->tile * cell->padding * cell_element_bytes(cell);
}

static const char *reject(const struct cell *cell)
{
    const char *reason = cuda_built_reason("padding", cell->padding, CUDA_LIST(PADDINGS));
    return reason ? reason : smem_square_reason(cell, shared_bytes(cell), CUDA_LIST(TILES));
}

/* b_tile[x][y] = */
static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return smem_b(at->cell, at->cell->tile + at->cell->padding, x, y);
}

/* b_tile[l][x], l = step */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return smem_b(at->cell, at->cell->tile + at->cell->padding, at->step, x);
}

static const struct access sites[] = {
    SMEM_SITES(NULL, smem_load_at, store_b_tile, read_b_tile),
    {0},
};

static const struct accesses accesses = {smem_geometry, shared_bytes, sites};

VARIANT(aat, cuda_b_pad) = {
    .summary = "cuda-b with padded rows in the transposed tile against bank conflicts",
    .summary_ru = "cuda-b с дополненными строками транспонированного тайла против конфликтов банков",
    .source = "lab5",
    .precisions = FLOATS,
    .axes = HONOURS(tile) | HONOURS(padding),
    .defaults = {.tile = 32, .padding = 1},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .typical_gflops = 7000,
    .reject = reject,
};

#endif
