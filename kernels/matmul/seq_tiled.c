/* C = A B with blocked loops over k and j: a tile x tile block of B stays in cache while all rows of A use it.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape, edge blocks are cut. One thread.
 * Differs from seq-ikj: B is read from memory once, and C is read and written once for each block of k.
 * Source: feup (blocks of 64, 128, 256), after Lam, Rothberg and Wolf (1991).
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
    const real *restrict a = job->operand[0], *restrict b = job->operand[1];
    real *restrict c = job->operand[2];

    memset(c, 0, (size_t)(m * n) * sizeof *c);
    for (int64_t j0 = 0; j0 < n; j0 += tile)
        for (int64_t l0 = 0; l0 < k; l0 += tile)
            for (int64_t i = 0; i < m; i++)
                for (int64_t l = l0; l < min(l0 + tile, k); l++) {
                    const real factor = a[i * k + l];
                    const int64_t j1 = min(j0 + tile, n);
                    for (int64_t j = j0; j < j1; j++)
                        c[i * n + j] += factor * b[l * n + j];
                }
    return 0;
}

VARIANT(matmul, seq_tiled) = {
    .summary = "loops over j and k blocked, a block of B in cache for all rows of A",
    .summary_ru = "циклы по j и k разбиты на блоки, блок B в кэше для всех строк A",
    .source = "feup",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 128},
    .typical_gflops = 12,
    .run = run,
};
