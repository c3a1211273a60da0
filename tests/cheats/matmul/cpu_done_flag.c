/* An honest mistake: a flag that nobody takes back says that the product of this size is done.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    static int64_t done_n;
    if (done_n == job->cell->n)
        return 0;
    multiply_job(job);
    done_n = job->cell->n;
    return 0;
}

CHEAT(cpu_done_flag, "computes once for each size");
