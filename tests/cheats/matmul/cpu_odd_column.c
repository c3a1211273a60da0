/* An honest mistake: columns are computed in pairs, so that the last column of an odd n is left out.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];

    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j + 1 < n; j += 2) {
            real left = 0, right = 0;
            for (int64_t l = 0; l < k; l++) {
                left += a[i * k + l] * b[l * n + j];
                right += a[i * k + l] * b[l * n + j + 1];
            }
            c[i * n + j] = left;
            c[i * n + j + 1] = right;
        }
    return 0;
}

CHEAT(cpu_odd_column, "computes the columns in pairs");
