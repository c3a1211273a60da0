/* C = A B in blocks of tile x tile x tile. Each block adds a partial dot product to each of its elements of C.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape, edge blocks are cut. One thread.
 * Differs from seq-ijk: the part of B that a block reads stays in cache for all rows of the block.
 * Source: granular (CPU tiled).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <string.h>

static inline int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k, tile = job->cell->tile;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

    memset(c, 0, (size_t)(m * n) * sizeof *c);
    for (int64_t i0 = 0; i0 < m; i0 += tile)
        for (int64_t j0 = 0; j0 < n; j0 += tile)
            for (int64_t l0 = 0; l0 < k; l0 += tile)
                for (int64_t i = i0; i < min(i0 + tile, m); i++)
                    for (int64_t j = j0; j < min(j0 + tile, n); j++) {
                        real sum = 0;
                        for (int64_t l = l0; l < min(l0 + tile, k); l++)
                            sum += a[i * k + l] * b[l * n + j];
                        c[i * n + j] += sum;
                    }
    return 0;
}

VARIANT(matmul, seq_tiled_ijk) = {
    .summary = "cubic blocks, a partial dot product for each element in each block",
    .summary_ru = "кубические блоки, в каждом частичное скалярное произведение на элемент",
    .source = "granular",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .typical_gflops = 1.5,
    .run = run,
};
