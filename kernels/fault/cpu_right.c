/* C = A + 1, as the problem asks.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * This is the only variant of the problem that the runner must report as ok.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    return 0;
}

VARIANT(fault, cpu_right) = {
    .summary = "does what the problem asks",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
