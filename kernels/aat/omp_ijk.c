/* C = A A^T. Each element of C is the dot product of two rows of A.
 * A (n x k) and C (n x n) are row-major and contiguous; any shape.
 * Each thread computes an equal number of neighbouring rows of C; all rows are equal work.
 * Differs from seq-ijk: threads, nothing else.
 * Source: lab5 (parallel).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[0];
    real *c = job->operand[1];

#pragma omp parallel for schedule(static) default(none) shared(n, k, a, c)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * a[j * k + l];
            c[i * n + j] = sum;
        }
    return 0;
}

VARIANT(aat, omp_ijk) = {
    .summary = "seq-ijk with the rows of C shared among the threads",
    .summary_ru = "seq-ijk, строки C поделены между потоками",
    .source = "lab5",
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .typical_gflops = 1,
    .run = run,
};
