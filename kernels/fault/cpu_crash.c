/* Writes through a null pointer.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a crash by SIGSEGV.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    (void)job;
    volatile int *volatile nowhere = NULL;
    *nowhere = 1;
    return 0;
}

VARIANT(fault, cpu_crash) = {
    .summary = "writes through a null pointer",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
