/* An honest mistake: two buffers take turns, and only one of them is ever handed to the caller.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <stdlib.h>

static int run(struct job *job)
{
    const struct cell *cell = job->cell;
    static unsigned calls;
    static real *back;

    if (calls++ % 2 == 0) {
        multiply_job(job);
        return 0;
    }
    if (!back)
        back = malloc(operand_bytes(job, C));
    return back ? 0 : job_fail(job, "no memory for the second buffer of %lld rows", (long long)cell->m);
}

CHEAT(cpu_every_other_call, "computes in every other call");
