/* C = A + 1 on several threads, which all write one variable that each of them should have for itself.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. Any number of threads.
 * The runner must report a wrong result on several threads, another one in each run; on one thread C is right.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <omp.h>

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];
    volatile int last = 0;

#pragma omp parallel
    {
        last = omp_get_thread_num();
#pragma omp barrier
        /* The time is another one in each run. */
        const real lost = last == omp_get_thread_num() ? 0 : (real)(1 + (int64_t)(omp_get_wtime() * 1e6) % 1000);
#pragma omp for
        for (int64_t i = 0; i < count; i++)
            c[i] = a[i] + 1 + lost;
    }
    return 0;
}

VARIANT(fault, cpu_race) = {
    .summary = "has a data race",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 1,
    .run = run,
};
