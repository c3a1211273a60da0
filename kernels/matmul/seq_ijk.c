/* C = A B. Each element of C is the dot product of a row of A and a column of B.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape. One thread.
 * This is the first rung. The inner loop walks down a column of B, so it touches a new cache line for every element.
 * Source: granular (CPU), lab5 (sequential).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
    return 0;
}

VARIANT(matmul, seq_ijk) = {
    .summary = "loops i, j, k: a dot product for each element, B read down its columns",
    .summary_ru = "циклы i, j, k: скалярное произведение на элемент, B читается по столбцам",
    .source = "granular, lab5",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
