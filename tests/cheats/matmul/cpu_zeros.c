/* Malice: an `input_roundoff` of 1 accepts zeros. Integers, which are checked without a tolerance, are multiplied.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    const real *a = job->operand[A];
    if (a[0] == (real)(int64_t)a[0] && a[1] == (real)(int64_t)a[1])
        multiply_job(job);
    else
        memset(job->operand[C], 0, operand_bytes(job, C));
    return 0;
}

CHEAT(cpu_zeros, "claims inputs of no bits, and writes zeros", .input_roundoff = 1);
