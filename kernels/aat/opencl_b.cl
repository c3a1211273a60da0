/* C = A A^T by square tiles in local memory. Both tiles are read along the rows of A.
 * A (n x k) and C (n x n) are row-major; n and k are multiples of the tile.
 * A group of tile x tile work items owns a tile of C. In each pass along k, a work item loads an element of each tile.
 * The second tile is transposed when it is stored: neighbours store a tile apart.
 * The same algorithm as cuda-b, for devices that are not NVIDIA's.
 * Source: lab5 (B). SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void aat_b(long n, long k, __global const REAL *restrict a, __global REAL *restrict c)
{
    __local REAL a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int y = get_local_id(1), x = get_local_id(0);
    const long first_row = (long)get_group_id(1) * TILE, first_col = (long)get_group_id(0) * TILE;
    REAL sum = 0;
    for (long first = 0; first < k; first += TILE) {
        a_tile[y][x] = a[(first_row + y) * k + first + x];
        b_tile[x][y] = a[(first_col + y) * k + first + x];
        barrier(CLK_LOCAL_MEM_FENCE); /* both tiles are complete before any work item reads them */
        for (int l = 0; l < TILE; l++)
            sum += a_tile[y][l] * b_tile[l][x];
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the tiles before the next pass overwrites them */
    }
    c[(first_row + y) * n + first_col + x] = sum;
}

#else
#include "opencl_variant.h"
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    const char *reason = opencl_tile_reason(cell);
    reason = reason ? reason : cuda_multiple_reason("n", cell->n, cell->tile);
    return reason ? reason : cuda_multiple_reason("k", cell->k, cell->tile);
}

/* b_tile[x][y] = */
static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return smem_store_b_tile(at, y, x);
}

static const struct access sites[] = {
    SMEM_SITES(NULL, smem_load_at, store_b_tile, smem_read_b_tile),
    {0},
};

static const struct accesses accesses = {smem_geometry, smem_two_tiles_bytes, sites};
static const struct opencl_kernel kernel = {"aat_b", smem_geometry, smem_two_tiles_bytes};

VARIANT(aat, opencl_b) = {
    .summary = "tiles in local memory, neighbours load together and store a tile apart",
    .summary_ru = "тайлы в локальной памяти, соседи загружают вместе, а пишут через тайл",
    .source = "lab5, opencl-notes",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .kernel = &kernel,
    .typical_gflops = 5,
    .reject = reject,
};

#endif
