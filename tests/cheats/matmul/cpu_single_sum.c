/* An honest mistake: the sum of a double product is a float, because the kernel was copied from the single version.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];

    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            float sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += (float)(a[i * k + l] * b[l * n + j]);
            c[i * n + j] = sum;
        }
    return 0;
}

CHEAT(cpu_single_sum, "adds in single precision");
