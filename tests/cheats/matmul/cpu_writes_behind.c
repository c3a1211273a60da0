/* An honest mistake: `j <= n` writes one element behind each row, at last behind C.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];

    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j <= n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k && j < n; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
    return 0;
}

CHEAT(cpu_writes_behind, "writes one element behind each row");
