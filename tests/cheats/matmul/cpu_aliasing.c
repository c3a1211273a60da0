/* An honest mistake: to save memory, the transposed B lies in C.
 * Rows of C overwrite columns of B that are still needed.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C], *transposed = c;

    for (int64_t j = 0; j < n && (j + 1) * k <= m * n; j++)
        for (int64_t l = 0; l < k; l++)
            transposed[j * k + l] = b[l * n + j];
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * transposed[j * k + l];
            c[i * n + j] = sum;
        }
    return 0;
}

CHEAT(cpu_aliasing, "keeps a transposed B in the rows of C that are computed last");
