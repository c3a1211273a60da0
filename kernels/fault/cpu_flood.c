/* C = A + 1, and 256 MiB on standard output and standard error.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a failure, as for cpu_stdout.c, and must keep only the first bytes in memory.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

enum { LINES = 1 << 22 };

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    for (int i = 0; i < LINES; i++)
        puts("a flood of thirty-one bytes....");
    for (int i = 0; i < LINES / 16; i++)
        fputs("a flood of thirty-one bytes....\n", stderr);
    return 0;
}

VARIANT(fault, cpu_flood) = {
    .summary = "floods standard output",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
