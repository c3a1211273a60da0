/* Never returns.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a time-out.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    (void)job;
    for (volatile bool forever = true; forever;)
        ;
    return 0;
}

VARIANT(fault, cpu_endless) = {
    .summary = "never returns",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
