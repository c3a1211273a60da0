/* C = A + 1, and then 16 bytes after the end of C.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a wrong result: C is right, but memory after C was written.
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
    volatile unsigned char *behind = (volatile unsigned char *)(c + count);
    for (int i = 0; i < 16; i++)
        behind[i] = 1;
    return 0;
}

VARIANT(fault, cpu_overrun) = {
    .summary = "writes behind the end of the output",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
