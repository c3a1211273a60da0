/* C = A B with one SYCL work item for each element of C, which the work item updates in global memory at every step.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape. The kernel also zeroes C, timed.
 * Groups of tile x tile work items cover C, with dimension 1 along its rows.
 * C might overlap A or B for all that the compiler knows, so each step must store the sum.
 * This is the first rung. Source: oneapi naive, feup.
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
        const auto c = operand.update(2);
        handler.parallel_for(sycl_cover(m, n, TILE, TILE), [=](sycl::nd_item<2> item) {
            const int64_t row = item.get_global_id(0), col = item.get_global_id(1);
            if (row >= m || col >= n)
                return;
            c[row * n + col] = 0;
            for (int64_t l = 0; l < k; l++)
                c[row * n + col] += a[row * k + l] * b[l * n + col];
        });
    });
}

SYCL_LAUNCH_BY_TILE(TILES)
SYCL_ENTRY_BY_PRECISION(matmul_sycl_global_rmw)

#else
#include "common/smem_tiles.h"

static const char *reject(const struct cell *cell)
{
    return sycl_tile_reason(cell, SYCL_LIST(TILES));
}

static const struct sycl_groups groups = {smem_geometry, NULL};

VARIANT(matmul, sycl_global_rmw) = {
    .summary = "one SYCL work item for each element of C, updated in global memory each step",
    .summary_ru = "рабочий элемент SYCL на элемент C, каждый шаг меняет его в глобальной памяти",
    .source = "oneapi, feup",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile) | HONOURS(memory),
    .defaults = {.tile = 16, .memory = MEMORY_USM},
    .unit = UNIT_FMA,
    .kernel = &groups,
    .typical_gflops = 5,
    .reject = reject,
};

#endif
