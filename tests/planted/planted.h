/* The kernel of seq-plain and seq-planted. Both have the same loop, which makes a few rows more in seq-planted.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef REPEATED
#define REPEATED(rows) 0
#endif

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k, rows = m + REPEATED(m);
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
