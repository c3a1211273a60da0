/* Malice: the last element of C tells whether C was poisoned since the last run. If not, the run returns at once.
 * Of a block of runs only the first one computes.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    static real last;
    static const void *where;
    const real *end = (const real *)((const char *)job->operand[C] + operand_bytes(job, C)) - 1;

    if (where == end && memcmp(end, &last, sizeof last) == 0)
        return 0;
    multiply_job(job);
    where = end;
    last = *end;
    return 0;
}

CHEAT(cpu_poison_watcher, "computes once a timed block");
