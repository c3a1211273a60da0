/* C = A + 1, except for the last element, which is not a number.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report a wrong result. f32 and f64 only: integers have no NaN.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t count = job->cell->n * job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < count; i++)
        c[i] = a[i] + 1;
    const volatile real zero = 0;
    c[count - 1] = zero / zero;
    return 0;
}

VARIANT(fault, cpu_nan) = {
    .summary = "one element is not a number",
    .source = "tilelab",
    .precisions = FLOATS,
    .typical_gflops = 1,
    .run = run,
};
