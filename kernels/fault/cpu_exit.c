/* Ends the process with exit status 0.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report an exit.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <stdlib.h>

static int run(struct job *job)
{
    (void)job;
    exit(0);
}

VARIANT(fault, cpu_exit) = {
    .summary = "ends the process",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
