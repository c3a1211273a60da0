/* C = A B with the loops over k and j swapped: a row of C sums multiples of rows of B.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape.
 * Each thread computes an equal number of neighbouring rows of C.
 * Differs from seq-ikj: threads, nothing else.
 * Source: oneapi (base).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

/* Computes one row of C. A function of its own, so that its pointers can be `restrict`. */
static void multiply_row(int64_t n, int64_t k, const real *restrict a, const real *restrict b, real *restrict c)
{
    for (int64_t j = 0; j < n; j++)
        c[j] = 0;
    for (int64_t l = 0; l < k; l++) {
        const real factor = a[l];
        for (int64_t j = 0; j < n; j++)
            c[j] += factor * b[l * n + j];
    }
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];

#pragma omp parallel for schedule(static) default(none) shared(m, n, k, a, b, c)
    for (int64_t i = 0; i < m; i++)
        multiply_row(n, k, a + i * k, b, c + i * n);
    return 0;
}

VARIANT(matmul, omp_ikj) = {
    .summary = "seq-ikj with the rows of C shared among the threads",
    .summary_ru = "seq-ikj, строки C поделены между потоками",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads),
    .typical_gflops = 8,
    .run = run,
};
