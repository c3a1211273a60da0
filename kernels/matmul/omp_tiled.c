/* C = A B in blocks. The loops over blocks run in the order i, k, j, and each product is added to C in memory.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape, edge blocks are cut.
 * The threads share the blocks of row-tile rows. If there are fewer blocks than threads, some threads have no work.
 * Differs from omp-ikj: a tile x tile block of B stays in cache while row-tile rows use it.
 * Source: oneapi (block).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static inline int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* C(rows x cols) += A(rows x depth) B(depth x cols). From row to row there are n elements in C and B, and k in A. */
static void multiply_block(int64_t rows, int64_t cols, int64_t depth, int64_t n, int64_t k, const real *restrict a,
                           const real *restrict b, real *restrict c)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t l = 0; l < depth; l++) {
            const real factor = a[i * k + l];
            for (int64_t j = 0; j < cols; j++)
                c[i * n + j] += factor * b[l * n + j];
        }
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const int64_t tile = job->cell->tile, row_tile = job->cell->row_tile;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

#pragma omp parallel for schedule(static) default(none) shared(m, n, k, tile, row_tile, a, b, c)
    for (int64_t i0 = 0; i0 < m; i0 += row_tile) {
        const int64_t rows = min(row_tile, m - i0);
        for (int64_t i = i0 * n; i < (i0 + rows) * n; i++)
            c[i] = 0;
        for (int64_t l0 = 0; l0 < k; l0 += tile)
            for (int64_t j0 = 0; j0 < n; j0 += tile)
                multiply_block(rows, min(tile, n - j0), min(tile, k - l0), n, k, a + i0 * k + l0, b + l0 * n + j0,
                               c + i0 * n + j0);
    }
    return 0;
}

VARIANT(matmul, omp_tiled) = {
    .summary = "cache blocks in the order i, k, j, row blocks shared among threads",
    .summary_ru = "блоки кэша в порядке i, k, j, блоки строк поделены между потоками",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads) | HONOURS(tile) | HONOURS(row_tile),
    .defaults = {.tile = 128, .row_tile = 32},
    .typical_gflops = 12,
    .run = run,
};
