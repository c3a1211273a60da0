/* C = A B with the loops over k and j swapped: a row of C sums multiples of rows of B.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape. One thread.
 * Differs from seq-ijk: the inner loop walks along rows, so it uses whole cache lines and SIMD instructions.
 * Source: feup (naive).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *restrict a = job->operand[0], *restrict b = job->operand[1];
    real *restrict c = job->operand[2];

    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int64_t l = 0; l < k; l++) {
            const real factor = a[i * k + l];
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += factor * b[l * n + j];
        }
    }
    return 0;
}

VARIANT(matmul, seq_ikj) = {
    .summary = "loops i, k, j: a row of B scaled and added to a row of C",
    .summary_ru = "циклы i, k, j: строка B с множителем прибавляется к строке C",
    .source = "feup",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 8,
    .run = run,
};
