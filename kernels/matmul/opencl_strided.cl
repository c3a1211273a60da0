/* C = A B by square tiles in local memory that are stored transposed: neighbours access elements a tile apart.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape.
 * A group of tile x tile work items owns a tile of C. In each pass along k, a work item loads an element of each tile.
 * On a device with 32 banks of local memory, at tile 32 all stores and the reads of b_tile lie in one bank.
 * Differs from opencl-tiled only in the layout of the tiles: the same loads from global memory, the same sums.
 * Source: opencl-notes. SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void matmul_strided(long m, long n, long k, __global const REAL *restrict a, __global const REAL *restrict b,
                           __global REAL *restrict c)
{
    __local REAL a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = get_local_id(1), x = get_local_id(0);
    const long row = get_global_id(1), col = get_global_id(0);
    REAL sum = 0;
    for (long first = 0; first < k; first += TILE) {
        a_tile[x][y] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[x][y] = first + y < k && col < n ? b[(first + y) * n + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* both tiles are complete before any work item reads them */
        for (int l = 0; l < TILE; l++)
            sum += a_tile[l][y] * b_tile[x][l];
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the tiles before the next pass overwrites them */
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}

#else
#include "opencl_variant.h"
#include "common/smem_tiles.h"

/* b[first + y][col] */
static int64_t load_b(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    return smem_global(cell, cell->k, cell->n, at->pass * cell->tile + y, at->block_x * cell->tile + x);
}

/* a_tile[x][y] = */
static int64_t store_a_tile(const struct execution *at, int x, int y)
{
    return smem_store_a_tile(at, y, x);
}

/* b_tile[x][y] = */
static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return smem_store_b_tile(at, y, x);
}

/* a_tile[l][y], l = step */
static int64_t read_a_tile(const struct execution *at, int x, int y)
{
    (void)x;
    return smem_a(at->cell, at->step, y);
}

/* b_tile[x][l], for all l of a step: a work item reads along a row. */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return smem_b(at->cell, at->cell->tile, x, 0) + at->step * smem_row_width(at->cell);
}

static const struct access sites[] = {
    {"load for a_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .offset = smem_load_a},
    {"load for b_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = smem_element_width, .offset = load_b},
    {"store to a_tile", SPACE_SHARED, DIRECTION_STORE, .width = smem_element_width, .offset = store_a_tile},
    {"store to b_tile", SPACE_SHARED, DIRECTION_STORE, .width = smem_element_width, .offset = store_b_tile},
    {"read of a_tile", SPACE_SHARED, DIRECTION_LOAD, .width = smem_element_width, .steps = smem_element_steps,
     .offset = read_a_tile},
    {"read of b_tile", SPACE_SHARED, DIRECTION_LOAD, .width = smem_row_width, .steps = smem_row_steps,
     .offset = read_b_tile},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = smem_element_width, .offset = smem_store_c},
    {0},
};

static const struct accesses accesses = {smem_geometry, smem_two_tiles_bytes, sites};
static const struct opencl_kernel kernel = {"matmul_strided", smem_geometry, smem_two_tiles_bytes};

VARIANT(matmul, opencl_strided) = {
    .summary = "tiles stored transposed in local memory: neighbours a tile apart, bank conflicts",
    .summary_ru = "тайлы транспонированы в локальной памяти: соседи через тайл, конфликты банков",
    .source = "opencl-notes",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .kernel = &kernel,
    .typical_gflops = 3,
    .reject = opencl_tile_reason,
};

#endif
