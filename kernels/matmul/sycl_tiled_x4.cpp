/* C = A B by square tiles in local memory, with four elements of C for each work item.
 * A (m x k), B (k x n), C (m x n) are row-major; m, n and k are multiples of the tile, so that no access has a guard.
 * A group of tile/4 x tile work items owns a tile of C. In each pass, a work item loads four elements of either tile.
 * It sums four elements of one column of C, which lie tile/4 rows apart.
 * Differs from sycl-tiled: a work item uses each element that it reads of B's tile for four products.
 * Source: oneapi block+. SPDX-License-Identifier: MIT */
#include "sycl_variant.h"

/* The tiles that the kernel is built for. */
#define TILES(EACH) EACH(4) EACH(8) EACH(16) EACH(32)

/* Elements of C of a work item, in one column. */
enum { TM = 4 };

#ifdef __cplusplus

template <typename real, int TILE> static int launch_tile(struct job *job)
{
    enum { APART = TILE / TM };
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    return sycl_submit<real>(job, [=](sycl::handler &handler, auto operand) {
        const auto a = operand.read(0), b = operand.read(1);
        const auto c = operand.write(2);
        const sycl::local_accessor<real, 2> a_tile({TILE, TILE}, handler), b_tile({TILE, TILE}, handler);
        handler.parallel_for(sycl_cover(m / TM, n, APART, TILE), [=](sycl::nd_item<2> item) {
            const int y = item.get_local_id(0), x = item.get_local_id(1); /* y < APART */
            const int64_t row = item.get_group(0) * TILE + y, col = item.get_global_id(1);
            real sum[TM] = {};
            for (int64_t first = 0; first < k; first += TILE) {
                for (int i = 0; i < TM; i++) {
                    a_tile[y + i * APART][x] = a[(row + i * APART) * k + first + x];
                    b_tile[y + i * APART][x] = b[(first + y + i * APART) * n + col];
                }
                sycl::group_barrier(item.get_group()); /* both tiles are complete before any work item reads them */
                for (int l = 0; l < TILE; l++) {
                    const real b_element = b_tile[l][x];
                    for (int i = 0; i < TM; i++)
                        sum[i] += a_tile[y + i * APART][l] * b_element;
                }
                sycl::group_barrier(item.get_group()); /* all have read the tiles before the next pass */
            }
            for (int i = 0; i < TM; i++)
                c[(row + i * APART) * n + col] = sum[i];
        });
    });
}

SYCL_LAUNCH_BY_TILE(TILES)
SYCL_ENTRY_BY_PRECISION(matmul_sycl_tiled_x4)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    const char *reason = sycl_tile_reason(cell, SYCL_LIST(TILES));
    reason = reason ? reason : sycl_multiple_reason("m", cell->m, cell->tile);
    reason = reason ? reason : sycl_multiple_reason("n", cell->n, cell->tile);
    return reason ? reason : sycl_multiple_reason("k", cell->k, cell->tile);
}

static struct geometry geometry(const struct cell *cell)
{
    struct geometry geometry = smem_geometry(cell);
    geometry.threads_y /= TM;
    return geometry;
}

static const struct sycl_groups groups = {geometry, smem_two_tiles_bytes};

VARIANT(matmul, sycl_tiled_x4) = {
    .summary = "sycl-tiled with four elements of C for each work item",
    .summary_ru = "sycl-tiled, четыре элемента C на рабочий элемент",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile) | HONOURS(memory),
    .defaults = {.tile = 16, .memory = MEMORY_USM},
    .unit = UNIT_FMA,
    .kernel = &groups,
    .unmodelled = "compilers of SYCL differ in how wide they read the tiles",
    .typical_gflops = 5,
    .reject = reject,
};

#endif
