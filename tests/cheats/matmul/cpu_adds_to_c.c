/* An honest mistake: `c +=` without setting C to zero before.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];

    for (int64_t i = 0; i < m; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
    return 0;
}

CHEAT(cpu_adds_to_c, "c += a * b without setting C to zero");
