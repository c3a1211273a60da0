/* C = A B in blocks of tile x tile x tile. One thread computes a whole block of C.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape, edge blocks are cut.
 * The loops over rows and columns of blocks are collapsed into one loop, which the threads share.
 * Differs from omp-tiled: the blocks of C are squares, not strips of rows, so there are more of them to share.
 * Source: feup (OpenMP, blocks of 128, 256, 512).
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
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k, tile = job->cell->tile;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

#pragma omp parallel for collapse(2) schedule(static) default(none) shared(m, n, k, tile, a, b, c)
    for (int64_t i0 = 0; i0 < m; i0 += tile)
        for (int64_t j0 = 0; j0 < n; j0 += tile) {
            const int64_t rows = min(tile, m - i0), cols = min(tile, n - j0);
            for (int64_t i = i0; i < i0 + rows; i++)
                for (int64_t j = j0; j < j0 + cols; j++)
                    c[i * n + j] = 0;
            for (int64_t l0 = 0; l0 < k; l0 += tile)
                multiply_block(rows, cols, min(tile, k - l0), n, k, a + i0 * k + l0, b + l0 * n + j0, c + i0 * n + j0);
        }
    return 0;
}

VARIANT(matmul, omp_tiled_collapse) = {
    .summary = "square blocks of C shared among threads, the loops over them collapsed",
    .summary_ru = "квадратные блоки C поделены между потоками, циклы по ним объединены",
    .source = "feup",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads) | HONOURS(tile),
    .defaults = {.tile = 128},
    .typical_gflops = 12,
    .run = run,
};
