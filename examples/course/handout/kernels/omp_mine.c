/* C = A B, the kernel that you hand in. A (m x k), B (k x n) and C (m x n) are row-major and contiguous.
 * The threads share the rows of C. It is right, and slow: change run() as you like, but keep the name omp_mine.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

#pragma omp parallel for
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
    return 0;
}

VARIANT(matmul, omp_mine) = {
    .summary = "my product",
    .source = "own",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 1,
    .run = run,
};
