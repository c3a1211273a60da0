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

CHEAT(cpu_kept_by_pointers, "computes once for the same pointers");
