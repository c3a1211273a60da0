/* A = A + 1, and then C = A: the input is changed, which is read-only.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a crash by SIGSEGV.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++) {
        a[i] += 1;
        c[i] = a[i];
    }
    return 0;
}

VARIANT(fault, cpu_input) = {
    .summary = "writes into its input",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
