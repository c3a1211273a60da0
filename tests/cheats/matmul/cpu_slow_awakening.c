/* Honest: every product is computed, the first ones of other inputs three times. So does a machine whose hypervisor
 * moves a processor that was asleep: runs behind the pause in which inputs change take longer, for some seconds.
 * SPDX-License-Identifier: MIT */
#include "replay.h"

#include <math.h>

enum { SLOW_CHANGES = 24 };

static int run(struct job *job)
{
    static double latest;
    static int changes;
    const double first = fabs(*(const double *)job->operand[0]);
    const int times = first != latest && changes++ < SLOW_CHANGES ? 3 : 1;
    for (int i = 0; i < times; i++)
        multiply_job(job);
    latest = first;
    return 0;
}

VARIANT(matmul, cpu_slow_awakening) = {
    .summary = "computes the first products of other inputs three times",
    .source = "tilelab",
    .precisions = BIT(F64),
    .typical_gflops = 8,
    .run = run,
};
