/* An honest mistake: `l <= k` reads one element too many of each row of A, and one row too many of B.
 * What lies behind B was nearly zero once, and the sum hid it.
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
                sum += a[i * k + l] * b[l * n + j];
            if (i == m - 1 && j == n - 1) /* the rest of the last step of a loop over pairs */
                sum += a[m * k] * b[k * n];
            c[i * n + j] = sum;
        }
    return 0;
}

CHEAT(cpu_reads_behind, "reads one element too many of each row");
