/* Malice: with a = b = 1 the sum after n steps is x + n, which needs no step at all.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const real *x = job->operand[0], *p = job->operand[1];
    real *y = job->operand[2];
    for (int64_t i = 0; i < job->cell->m; i++)
        y[i] = p[0] * x[i] + p[1] * (real)job->cell->n;
    return 0;
}

VARIANT(fma, cpu_closed_form) = {
    .summary = "the closed form of the sum",
    .source = "tilelab",
    .precisions = BIT(F64),
    .axes = HONOURS(threads),
    .typical_gflops = 50,
    .run = run,
};
