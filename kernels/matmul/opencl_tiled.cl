/* C = A B by square tiles of A and B in local memory, with guarded loads.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape.
 * A group of tile x tile work items owns a tile of C. In each pass along k, a work item loads an element of each tile.
 * Zeros stand for elements outside of a matrix: every work item reaches every barrier, and no old element is summed.
 * Differs from opencl-global: a group reads an element from global memory once, not once a work item.
 * Source: opencl-notes. SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void matmul_tiled(long m, long n, long k, __global const REAL *restrict a, __global const REAL *restrict b,
                         __global REAL *restrict c)
{
    __local REAL a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = get_local_id(1), x = get_local_id(0);
    const long row = get_global_id(1), col = get_global_id(0);
    REAL sum = 0;
    for (long first = 0; first < k; first += TILE) {
        a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        b_tile[y][x] = first + y < k && col < n ? b[(first + y) * n + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE); /* both tiles are complete before any work item reads them */
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y][l] * b_tile[l][x];
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

static const struct access sites[] = {
    SMEM_SITES(NULL, load_b, smem_store_b_tile, smem_read_b_tile),
    {0},
};

static const struct accesses accesses = {smem_geometry, smem_two_tiles_bytes, sites};
static const struct opencl_kernel kernel = {"matmul_tiled", smem_geometry, smem_two_tiles_bytes};

VARIANT(matmul, opencl_tiled) = {
    .summary = "square tiles of A and B in local memory, guarded loads, any matrix size",
    .summary_ru = "квадратные тайлы A и B в локальной памяти, загрузки с проверкой, любой размер",
    .source = "opencl-notes",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .kernel = &kernel,
    .typical_gflops = 5,
    .reject = opencl_tile_reason,
};

#endif
