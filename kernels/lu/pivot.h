/* The pivots that a factorisation can use, and its error at the first one that it cannot use.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_PIVOT_H
#define TILELAB_LU_PIVOT_H

#include "variant.h"

static inline bool pivot_usable(double pivot)
{
    return pivot < 0 || pivot > 0; /* neither is true of NaN */
}

/* Sets the job's error. The result is for `return` in run(). */
static inline int pivot_fail(struct job *job, int64_t step, double pivot)
{
    return job_fail(job, "the pivot of step %lld is %g", (long long)step, pivot);
}

#endif
