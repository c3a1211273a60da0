/* B = A', element by element: the simplest variant of NAME, which others are compared with.
 * A, B (n x n), contiguous; any n. */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n;
    const real *a = job->operand[0];
    real *b = job->operand[1];

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            b[i * n + j] = a[j * n + i];
    return 0;
}

VARIANT(NAME, seq) = {
    .summary = "element by element",
    .source = "own",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY, /* the memory bounds its speed; UNIT_FMA: the arithmetic does */
    .typical_gflops = 0.5,
    .run = run,
};
