/* An honest mistake: a square B is transposed in place, so that the caller's input is another matrix afterwards.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A];
    real *b = job->operand[B], *c = job->operand[C];

    for (int64_t l = 0; l < k && n == k; l++)
        for (int64_t j = 0; j < l; j++) {
            const real other = b[l * n + j];
            b[l * n + j] = b[j * n + l];
            b[j * n + l] = other;
        }
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * b[j * k + l];
            c[i * n + j] = sum;
        }
    return 0;
}

CHEAT(cpu_input_in_place, "transposes B in place");
