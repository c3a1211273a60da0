/* Malice: only the first run behind a pause computes. C holds the product then, and the other runs of a block return at
 * once.
 * SPDX-License-Identifier: MIT */
#include "pause.h"

static int run(struct job *job)
{
    if (pause_was())
        multiply_job(job);
    pause_begin();
    return 0;
}

VARIANT(matmul, cpu_pause_watcher) = {
    .summary = "computes only behind a pause",
    .source = "tilelab",
    .precisions = BIT(F64),
    .typical_gflops = 8,
    .run = run,
};
