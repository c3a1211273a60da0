/* The kernel of seq-plain and seq-planted. seq-planted makes one row again of so many, and seq-plain makes none. Both
 * have the same instructions at the same places of a cache line, as these decide more than 5 % of the time. So the
 * compiler must not know ONE_OF.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static volatile int64_t one_of = ONE_OF;

static __attribute__((aligned(64))) int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k, rows = m + m / one_of;
    const real *restrict a = job->operand[0], *restrict b = job->operand[1];
    real *restrict c = job->operand[2];

    for (int64_t row = 0; row < rows; row++) {
        const int64_t i = row < m ? row : row - m;
        for (int64_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int64_t l = 0; l < k; l++) {
            const real factor = a[i * k + l];
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += factor * b[l * n + j];
        }
    }
    return 0;
}
