/* C = A A^T. Each element of C is the dot product of two rows of A.
 * A (n x k) and C (n x n) are row-major and contiguous; any shape. One thread computes both triangles.
 * This is the first rung. Unlike in a general product, both factors are read along their rows.
 * Source: lab5 (sequential).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * a[j * k + l];
            c[i * n + j] = sum;
        }
    return 0;
}

VARIANT(aat, seq_ijk) = {
    .summary = "sequential, each element of C a dot product of two rows of A",
    .summary_ru = "последовательно, элемент C — скалярное произведение двух строк A",
    .source = "lab5",
    .precisions = FLOATS,
    .typical_gflops = 1,
    .run = run,
};
