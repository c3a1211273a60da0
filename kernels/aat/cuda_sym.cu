/* C = A A^T as in cuda-b-pad with one column of padding, but only for tiles of C on and below the diagonal.
 * A (n x k) and C (n x n) are row-major; n and k are multiples of the tile; n up to 65535 x tile.
 * A block of tile x tile threads owns a tile of C. Blocks above the diagonal end at once. A block below the diagonal
 * writes its tile twice; it transposes the second copy in shared memory, so that both stores are coalesced.
 * Both triangles are equal bit for bit, because a product does not depend on the order of its two factors.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(8) EACH(16) EACH(32)

#ifdef __CUDACC__

template <typename real, int TILE>
__global__ void __launch_bounds__((TILE * TILE))
    aat_sym(int64_t n, int64_t k, const real *__restrict__ a, real *__restrict__ c)
{
    __shared__ real a_tile[TILE][TILE], b_tile[TILE][TILE + 1];
    if (blockIdx.x > blockIdx.y)
        return;
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
    if (blockIdx.x == blockIdx.y)
        return;
    b_tile[x][y] = sum;
    __syncthreads(); /* the tile is complete before any thread reads it transposed */
    c[(first_col + y) * n + first_row + x] = b_tile[y][x];
}

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const struct cell *cell = job->cell;
    const dim3 block(TILE, TILE);
    const dim3 grid((unsigned)(cell->n / TILE), (unsigned)(cell->n / TILE));
    aat_sym<real, TILE><<<grid, block, 0, (cudaStream_t)job->stream>>>(cell->n, cell->k, (const real *)job->operand[0],
                                                                       (real *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_LAUNCH_BY_TILE(TILES)
CUDA_ENTRY_BY_FLOAT(aat_cuda_sym)

#else
#include "common/smem_tiles.h"

enum { PADDING = 1 };

static int64_t shared_bytes(const struct cell *cell)
{
    return smem_two_tiles_bytes(cell) + cell->tile * PADDING * cell_element_bytes(cell);
}

static const char *reject(const struct cell *cell)
{
    return smem_square_reason(cell, shared_bytes(cell), CUDA_LIST(TILES));
}

/* Blocks that compute a tile, and blocks that also store its mirror image. */
static bool below(const struct execution *at)
{
    return at->block_x <= at->block_y;
}
static bool mirrored(const struct execution *at)
{
    return at->block_x < at->block_y;
}

/* b_tile[row][col] */
static int64_t padded(const struct cell *cell, int64_t row, int64_t col)
{
    return smem_b(cell, cell->tile + PADDING, row, col);
}

/* b_tile[x][y] = */
static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return padded(at->cell, x, y);
}

/* b_tile[l][x], l = step */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return padded(at->cell, at->step, x);
}

/* b_tile[y][x] */
static int64_t read_transposed(const struct execution *at, int x, int y)
{
    return padded(at->cell, y, x);
}

/* c[first_col + y][first_row + x] */
static int64_t store_mirror(const struct execution *at, int x, int y)
{
    const struct execution image = {at->cell, at->block_y, at->block_x, 0, 0};
    return smem_store_c(&image, x, y);
}

static const struct access sites[] = {
    SMEM_SITES(below, smem_load_at, store_b_tile, read_b_tile),
    {"transposition of the tile of C", SPACE_SHARED, DIRECTION_STORE, .once = true, .width = smem_element_width,
     .blocks = mirrored, .offset = store_b_tile},
    {"read of the transposed tile", SPACE_SHARED, DIRECTION_LOAD, .once = true, .width = smem_element_width,
     .blocks = mirrored, .offset = read_transposed},
    {"store of the mirror image", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = smem_element_width,
     .blocks = mirrored, .offset = store_mirror},
    {0},
};

static const struct accesses accesses = {smem_geometry, shared_bytes, sites};

VARIANT(aat, cuda_sym) = {
    .summary = "cuda-b-pad for the tiles on and below the diagonal, the rest mirrored",
    .summary_ru = "cuda-b-pad для тайлов на диагонали и под ней, остальное отражается",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 32},
    .unit = UNIT_FMA,
    .symmetry = SYMMETRY_MIRRORED,
    .halved = true,
    .accesses = &accesses,
    .typical_gflops = 12000,
    .reject = reject,
};

#endif
