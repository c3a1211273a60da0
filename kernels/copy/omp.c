/* C = A, element by element.
 * A (1 x n) and C (1 x n) are contiguous; any n.
 * Each thread copies an equal number of neighbouring elements.
 * A compiler may replace the loop by its memcpy, which is the fastest copy that it knows.
 * Source: tilelab (probe).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n;
    const real *a = job->operand[0];
    real *c = job->operand[1];

#pragma omp parallel for simd schedule(static) default(none) shared(n, a, c)
    for (int64_t i = 0; i < n; i++)
        c[i] = a[i];
    return 0;
}

VARIANT(copy, omp) = {
    .summary = "one contiguous part of the array for each thread",
    .summary_ru = "каждому потоку сплошная часть массива",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
    .run = run,
};
