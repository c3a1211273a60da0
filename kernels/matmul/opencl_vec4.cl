/* C = A B by square tiles in local memory, with loads and stores of four elements at once.
 * A (m x k), B (k x n) and C (m x n) are row-major; n, k and the tile are multiples of 4, so that no vector crosses the
 * edge of a matrix and each is aligned. Vectors outside of a matrix are zeros.
 * A group of tile/4 x tile work items owns a tile of C; a work item sums four neighbours in a row of C.
 * Differs from opencl-tiled: a quarter of the work items and of the loads.
 * Source: opencl-notes. SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void matmul_vec4(long m, long n, long k, __global const REAL4 *restrict a, __global const REAL4 *restrict b,
                        __global REAL4 *restrict c)
{
    __local REAL4 a_tile[TILE][TILE / 4], b_tile[TILE][TILE / 4];
    const int y = get_local_id(1), x = get_local_id(0);
    const long row = get_global_id(1), col = get_global_id(0), n4 = n / 4, k4 = k / 4;
    REAL4 sum = 0;
    for (long first = 0; first < k; first += TILE) {
        a_tile[y][x] = row < m && first + 4 * x < k ? a[row * k4 + first / 4 + x] : (REAL4)(0);
        b_tile[y][x] = first + y < k && col < n4 ? b[(first + y) * n4 + col] : (REAL4)(0);
        barrier(CLK_LOCAL_MEM_FENCE); /* both tiles are complete before any work item reads them */
        for (int l = 0; l < TILE / 4; l++) {
            const REAL4 factor = a_tile[y][l];
            sum += factor.x * b_tile[4 * l][x];
            sum += factor.y * b_tile[4 * l + 1][x];
            sum += factor.z * b_tile[4 * l + 2][x];
            sum += factor.w * b_tile[4 * l + 3][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE); /* all have read the tiles before the next pass overwrites them */
    }
    if (row < m && col < n4)
        c[row * n4 + col] = sum;
}

#else
#include "opencl_variant.h"
#include "common/smem_tiles.h"

static struct geometry geometry(const struct cell *cell)
{
    struct geometry geometry = smem_geometry(cell);
    geometry.threads_x /= 4;
    return geometry;
}

static const char *reject(const struct cell *cell)
{
    const char *reason = opencl_tile_reason(cell);
    reason = reason ? reason : opencl_vector_reason("tile", cell->tile);
    reason = reason ? reason : opencl_vector_reason("n", cell->n);
    return reason ? reason : opencl_vector_reason("k", cell->k);
}

/* A vector of f64 takes two accesses of 16 bytes. */
static int width(const struct cell *cell)
{
    (void)cell;
    return 16;
}

static int64_t parts(const struct cell *cell)
{
    return cell_element_bytes(cell) / 4;
}

static int64_t vectors(const struct cell *cell)
{
    return cell->tile * parts(cell);
}

/* The bytes from the start of a vector to the part that a step accesses. */
static int64_t part(const struct execution *at, int64_t offset)
{
    return offset == INACTIVE ? INACTIVE : offset + 16 * (at->step % parts(at->cell));
}

static int64_t load_a(const struct execution *at, int x, int y)
{
    return part(at, smem_load_a(at, 4 * x, y));
}

/* b[first + y][col + 0..3] */
static int64_t load_b(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    return part(at, smem_global(cell, cell->k, cell->n, at->pass * cell->tile + y, at->block_x * cell->tile + 4 * x));
}

static int64_t store_a_tile(const struct execution *at, int x, int y)
{
    return part(at, smem_a(at->cell, y, 4 * x));
}

static int64_t store_b_tile(const struct execution *at, int x, int y)
{
    return part(at, smem_b(at->cell, at->cell->tile, y, 4 * x));
}

/* b_tile[l][4x + 0..3], l = step without its part */
static int64_t read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return part(at, smem_b(at->cell, at->cell->tile, at->step / parts(at->cell), 4 * x));
}

static int64_t store_c(const struct execution *at, int x, int y)
{
    return part(at, smem_store_c(at, 4 * x, y));
}

static const struct access sites[] = {
    {"load for a_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = width, .steps = parts, .offset = load_a},
    {"load for b_tile", SPACE_GLOBAL, DIRECTION_LOAD, .width = width, .steps = parts, .offset = load_b},
    {"store to a_tile", SPACE_SHARED, DIRECTION_STORE, .width = width, .steps = parts, .offset = store_a_tile},
    {"store to b_tile", SPACE_SHARED, DIRECTION_STORE, .width = width, .steps = parts, .offset = store_b_tile},
    {"read of a_tile", SPACE_SHARED, DIRECTION_LOAD, .width = smem_row_width, .steps = smem_row_steps,
     .offset = smem_read_a_tile},
    {"read of b_tile", SPACE_SHARED, DIRECTION_LOAD, .width = width, .steps = vectors, .offset = read_b_tile},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = width, .steps = parts, .offset = store_c},
    {0},
};

static const struct accesses accesses = {geometry, smem_two_tiles_bytes, sites};
static const struct opencl_kernel kernel = {"matmul_vec4", geometry, smem_two_tiles_bytes};

VARIANT(matmul, opencl_vec4) = {
    .summary = "tiles in local memory, four elements a load; n and k multiples of 4",
    .summary_ru = "тайлы в локальной памяти, по четыре элемента за загрузку; n и k кратны 4",
    .source = "opencl-notes",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .kernel = &kernel,
    .typical_gflops = 5,
    .reject = reject,
};

#endif
