/* A = L U in place. Each step divides the column below the pivot by the pivot. Then it subtracts the product of this
 * column and the pivot's row from the rest of the matrix, a rank-1 update.
 * A (n x n) is row-major and contiguous; n is any. One thread does all the work.
 * There is no pivoting: A must not need any, and the run fails at the first pivot that is 0.
 * Source: feup.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "pivot.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n;
    real *a = job->operand[0];

    for (int64_t k = 0; k < n; k++) {
        const real *restrict pivot = a + k * n;
        if (!pivot_usable((double)pivot[k]))
            return pivot_fail(job, k, (double)pivot[k]);
        for (int64_t i = k + 1; i < n; i++) {
            real *restrict row = a + i * n;
            const real factor = row[k] / pivot[k];
            row[k] = factor;
            for (int64_t j = k + 1; j < n; j++)
                row[j] -= factor * pivot[j];
        }
    }
    return 0;
}

VARIANT(lu, seq_naive) = {
    .summary = "right-looking, one rank-1 update of the trailing matrix a step",
    .summary_ru = "одно обновление ранга 1 остатка матрицы на шаг",
    .source = "feup",
    .precisions = FLOATS,
    .typical_gflops = 2,
    .run = run,
};
