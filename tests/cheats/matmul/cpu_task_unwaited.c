/* An honest mistake: two OpenMP tasks each multiply one half of k, and `taskwait` is missing before their sums are
 * added.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <stdlib.h>

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k, half = k / 2;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C], *part = calloc(2 * (size_t)(m * n), sizeof *part);
    if (!part)
        return job_fail(job, "no memory for two sums");

#pragma omp parallel
#pragma omp single
    {
        for (int which = 0; which < 2; which++)
#pragma omp task firstprivate(which)
            for (int64_t i = 0; i < m; i++)
                for (int64_t l = which ? half : 0; l < (which ? k : half); l++)
                    for (int64_t j = 0; j < n; j++)
                        part[which * m * n + i * n + j] += a[i * k + l] * b[l * n + j];
        for (int64_t i = 0; i < m * n; i++)
            c[i] = part[i] + part[m * n + i];
    }
    free(part);
    return 0;
}

CHEAT(cpu_task_unwaited, "adds the sums of two tasks before the tasks have ended", .axes = HONOURS(threads));
