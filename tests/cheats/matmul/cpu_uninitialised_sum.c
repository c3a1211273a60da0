/* An honest mistake: a row of sums from malloc is never set to zero. The first run finds fresh memory, which is zero.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <stdlib.h>

static int prepare(struct job *job)
{
    job->state = malloc(operand_bytes(job, C));
    return job->state ? 0 : job_fail(job, "no memory for the sums");
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *sum = job->state;

    for (int64_t i = 0; i < m; i++)
        for (int64_t l = 0; l < k; l++)
            for (int64_t j = 0; j < n; j++)
                sum[i * n + j] += a[i * k + l] * b[l * n + j];
    memcpy(job->operand[C], sum, operand_bytes(job, C));
    return 0;
}

static void release(struct job *job)
{
    free(job->state);
}

CHEAT(cpu_uninitialised_sum, "adds to sums that nobody has set to zero", .prepare = prepare, .release = release);
