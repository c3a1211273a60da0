/* An honest mistake: a loop unrolled eight times forgets its rest where the rest is one step, as for n = 193.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    enum { STEPS = 8 };
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];

    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            int64_t l = 0;
            for (; l + STEPS <= k; l += STEPS)
                for (int64_t step = 0; step < STEPS; step++)
                    sum += a[i * k + l + step] * b[(l + step) * n + j];
            for (; l + 1 < k; l += 2)
                sum += a[i * k + l] * b[l * n + j] + a[i * k + l + 1] * b[(l + 1) * n + j];
            c[i * n + j] = sum;
        }
    return 0;
}

CHEAT(cpu_one_size, "forgets the rest of an unrolled loop if the rest is one step");
