/* Never returns, and leaves a process behind.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a time-out, and must end the process with the worker.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "orphan.h"
#include "variant.h"

static int run(struct job *job)
{
    (void)job;
    leave_behind(0);
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
