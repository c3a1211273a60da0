/* Writes nothing at all.
 * A (n x n), C (n x n), row-major and contiguous; any n.
 * One thread.
 * Must come out wrong: the output still holds what the runner put there.
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
