/* An honest mistake: a wrong `input_roundoff`. The kernel rounds its inputs to float, 2^-24; its author wrote 2^-4.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];

    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += (real)(float)a[i * k + l] * (real)(float)b[l * n + j];
            c[i * n + j] = sum;
        }
    return 0;
}

CHEAT(cpu_loose_roundoff, "rounds its inputs to float, and claims a sixteenth", .input_roundoff = 0x1p-4);
