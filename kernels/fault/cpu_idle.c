/* C = A + 1, and 20 ms in which all threads sleep.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. Any number of threads.
 * The runner must flag the times of several threads as idle, or as noisy where other programs hold the cores.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <time.h>

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
#pragma omp parallel
    {
        const struct timespec a_while = {.tv_nsec = 20000000};
        nanosleep(&a_while, NULL);
    }
    return 0;
}

VARIANT(fault, cpu_idle) = {
    .summary = "keeps its threads asleep",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 1,
    .run = run,
};
