/* C = A B by square tiles of A and B in local memory, with guarded loads.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape; zeros stand for elements outside of a matrix.
 * A group of tile x tile work items owns a tile of C. In each pass along k, a work item loads an element of each tile.
 * Differs from sycl-global: a group reads an element from global memory once, not once a work item.
 * Source: oneapi block, feup blocked with local memory; the kernels that feup prints do not compute A B.
 * SPDX-License-Identifier: MIT */
#include "sycl_variant.h"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(4) EACH(8) EACH(16) EACH(32)

#ifdef __cplusplus

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    return sycl_submit<real>(job, [=](sycl::handler &handler, auto operand) {
        const auto a = operand.read(0), b = operand.read(1);
        const auto c = operand.write(2);
        const sycl::local_accessor<real, 2> a_tile({TILE, TILE}, handler), b_tile({TILE, TILE}, handler);
        handler.parallel_for(sycl_cover(m, n, TILE, TILE), [=](sycl::nd_item<2> item) {
            const int64_t row = item.get_global_id(0), col = item.get_global_id(1);
            const int y = item.get_local_id(0), x = item.get_local_id(1);
            real sum = 0;
            for (int64_t first = 0; first < k; first += TILE) {
                a_tile[y][x] = row < m && first + x < k ? a[row * k + first + x] : real(0);
                b_tile[y][x] = first + y < k && col < n ? b[(first + y) * n + col] : real(0);
                sycl::group_barrier(item.get_group()); /* both tiles are complete before any work item reads them */
                for (int l = 0; l < TILE; l++)
                    sum += a_tile[y][l] * b_tile[l][x];
                sycl::group_barrier(
                    item.get_group()); /* all have read the tiles before the next pass overwrites them */
            }
            if (row < m && col < n)
                c[row * n + col] = sum;
        });
    });
}

SYCL_LAUNCH_BY_TILE(TILES)
SYCL_ENTRY_BY_PRECISION(matmul_sycl_tiled)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    return sycl_tile_reason(cell, SYCL_LIST(TILES));
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
static const struct sycl_groups groups = {smem_geometry, smem_two_tiles_bytes};

VARIANT(matmul, sycl_tiled) = {
    .summary = "square tiles of A and B in local memory, guarded loads, any matrix size",
    .summary_ru = "квадратные тайлы A и B в локальной памяти, загрузки с проверкой, любой размер",
    .source = "oneapi, feup",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile) | HONOURS(memory),
    .defaults = {.tile = 16, .memory = MEMORY_USM},
    .unit = UNIT_FMA,
    .accesses = &accesses,
    .kernel = &groups,
    .typical_gflops = 5,
    .reject = reject,
};

#endif
