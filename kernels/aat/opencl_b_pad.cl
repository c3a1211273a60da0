/* C = A A^T as in opencl-b, but each row of the transposed tile has `padding` unused columns at its end.
 * A (n x k) and C (n x n) are row-major; n and k are multiples of the tile.
 * A group of tile x tile work items owns a tile of C. In each pass along k, a work item loads an element of each tile.
 * One column of padding shifts each row by a bank, so that neighbours store to different banks.
 * The same algorithm as cuda-b-pad, for devices that are not NVIDIA's.
 * Source: lab5 (B*). SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void aat_b_pad(long n, long k, __global const REAL *restrict a, __global REAL *restrict c)
{
    __local REAL a_tile[TILE][TILE], b_tile[TILE][TILE + PADDING];
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

static int64_t local_bytes(const struct cell *cell)
{
    return smem_two_tiles_bytes(cell) + cell->tile * cell->padding * cell_element_bytes(cell);
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

static const struct accesses accesses = {smem_geometry, local_bytes, sites};
static const struct opencl_kernel kernel = {"aat_b_pad", smem_geometry, local_bytes};

VARIANT(aat, opencl_b_pad) = {
    .summary = "opencl-b with padded rows in the transposed tile against bank conflicts",
    .summary_ru = "opencl-b с дополненными строками транспонированного тайла против конфликтов банков",
    .source = "lab5, opencl-notes",
    .precisions = FLOATS,
    .axes = HONOURS(tile) | HONOURS(padding),
    .defaults = {.tile = 16, .padding = 1},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .kernel = &kernel,
    .typical_gflops = 5,
    .reject = reject,
};

#endif
