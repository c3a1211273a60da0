/* Parts of verification that problems share. Bounds and their origin: the method chapter of the report.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_H
#define TILELAB_VERIFY_PRODUCT_H

#include "problem.h"

/* How a matrix lies in memory, row-major and contiguous. */
enum layout {
    LAYOUT_PLAIN,
    LAYOUT_TRANSPOSED, /* what is stored is its transpose */
    LAYOUT_LOWER,      /* symmetric, and only the lower triangle of what is stored counts */
};
/* Where element (i, j) of a rows x cols matrix is. */
static inline int64_t layout_index(enum layout layout, int64_t rows, int64_t cols, int64_t i, int64_t j)
{
    if (layout == LAYOUT_TRANSPOSED)
        return j * rows + i;
    return layout == LAYOUT_LOWER && j > i ? j * cols + i : i * cols + j;
}

/* The product C = A B (m x k by k x n), for matmul and every problem that is one. Checks: EXACT and
 * i32 three Freivalds vectors in 64-bit integers with tolerance 0; RANDOM 64 random rows in higher
 * precision, componentwise, and Freivalds with the row bound. RANDOM elements lie in [-1, 1].
 * `input_roundoff`, 0: the precision's own, matters to product_verify only. */
struct product {
    int64_t precision, m, n, k;
    double input_roundoff;
    const void *a, *b;
    enum layout b_layout, c_layout; /* A is LAYOUT_PLAIN */
};
void *product_reference(const struct product *product, enum inputs inputs, uint64_t seed);
void product_reference_free(void *reference);
void product_verify(const struct product *product, enum inputs inputs, const void *reference, const void *c,
                    struct verdict *verdict);

#endif
