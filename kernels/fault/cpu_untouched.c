/* Writes nothing.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a wrong result: C still holds what the runner put there.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    (void)job;
    return 0;
}

VARIANT(fault, cpu_untouched) = {
    .summary = "the output is not written",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
