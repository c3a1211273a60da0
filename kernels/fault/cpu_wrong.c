/* C = A + 1, except for the last element, which is one too large.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a wrong result.
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
    c[count - 1] += 1;
    return 0;
}

VARIANT(fault, cpu_wrong) = {
    .summary = "one element is off by one",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
