/* A = B + s C, element by element.
 * A, B and C (1 x n) are contiguous, S is 1 x 1; any n.
 * Each thread computes an equal number of neighbouring elements.
 * A cache mostly reads a line of A before it writes the line: this quarter of the traffic is not counted.
 * Source: J. D. McCalpin's STREAM.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n;
    const real *b = job->operand[0], *c = job->operand[1], s = *(const real *)job->operand[2];
    real *restrict a = job->operand[3];

#pragma omp parallel for simd schedule(static) default(none) shared(n, b, c, s, a)
    for (int64_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
    return 0;
}

VARIANT(triad, omp) = {
    .summary = "one contiguous part of the arrays for each thread",
    .summary_ru = "каждому потоку сплошная часть массивов",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
    .run = run,
};
