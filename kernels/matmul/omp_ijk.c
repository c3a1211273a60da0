/* C = A B. Each element of C is the dot product of a row of A and a column of B.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape.
 * Each thread computes an equal number of neighbouring rows of C.
 * Differs from seq-ijk: threads, nothing else.
 * Source: lab5 (parallel).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

#pragma omp parallel for schedule(static) default(none) shared(m, n, k, a, b, c)
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
    return 0;
}

VARIANT(matmul, omp_ijk) = {
    .summary = "seq-ijk with the rows of C shared among the threads",
    .summary_ru = "seq-ijk, строки C поделены между потоками",
    .source = "lab5",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 1,
    .run = run,
};
