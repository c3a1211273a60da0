/* C = A + B, element by element; B is added `times` times.
 * A, B, C (n x n), contiguous; any n.
 * The rows are dealt out to the threads, `chunk` rows at a time.
 * Source: this test of what an addition costs.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n, chunk = job->cell->chunk;
    const real times = (real)job->cell->times;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

#pragma omp parallel for schedule(static, chunk)
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            c[i * n + j] = a[i * n + j] + times * b[i * n + j];
    return 0;
}

VARIANT(add, omp) = {
    .summary = "rows dealt out to the threads",
    .summary_ru = "строки поделены между потоками",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads) | HONOURS(seat) | HONOURS(times) | HONOURS(chunk),
    .defaults = {.chunk = 8, .seat = 1, .times = 1},
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
    .run = run,
};
