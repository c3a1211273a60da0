/* The plain product that variants of the corpus compute when they do not cheat.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_CHEATS_PRODUCT_H
#define TILELAB_TESTS_CHEATS_PRODUCT_H

#include "variant.h"

/* Describes a variant of the product, whose function is run(): its summary, and other fields if it has such. */
#define CHEAT(file, ...) \
    VARIANT(matmul, file) = { \
        .source = "tilelab", .precisions = BIT(F64), .typical_gflops = 8, .run = run, .summary = __VA_ARGS__}

enum { A, B, C };

/* C = A B for row-major matrices, m x k times k x n. */
static inline void multiply(int64_t m, int64_t n, int64_t k, const real *restrict a, const real *restrict b,
                            real *restrict c)
{
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int64_t l = 0; l < k; l++) {
            const real factor = a[i * k + l];
            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += factor * b[l * n + j];
        }
    }
}

/* The product of a job. */
static inline void multiply_job(const struct job *job)
{
    const struct cell *cell = job->cell;
    multiply(cell->m, cell->n, cell->k, job->operand[A], job->operand[B], job->operand[C]);
}

/* Bytes of an operand of a job. */
static inline size_t operand_bytes(const struct job *job, int operand)
{
    const struct cell *cell = job->cell;
    const int64_t rows = operand == B ? cell->k : cell->m, cols = operand == A ? cell->k : cell->n;
    return (size_t)(rows * cols) * sizeof(real);
}

#endif
