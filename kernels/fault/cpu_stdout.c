/* C = A + 1, and a line on standard output.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a failure: standard output belongs to the runner.
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
    puts("a variant has nothing to say here");
    fflush(stdout);
    return 0;
}

VARIANT(fault, cpu_stdout) = {
    .summary = "writes to standard output",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
