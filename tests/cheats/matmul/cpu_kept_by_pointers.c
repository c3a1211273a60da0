/* An honest mistake: C is not computed again where the three pointers are those of the call before.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    static void *last[3];
    if (memcmp(last, job->operand, sizeof last) == 0)
        return 0;
    multiply_job(job);
    memcpy(last, job->operand, sizeof last);
    return 0;
}

VARIANT(matmul, cpu_kept_by_pointers) = {
    .summary = "computes once for the same pointers",
    .source = "tilelab",
    .precisions = BIT(F64),
    .typical_gflops = 8,
    .run = run,
};
