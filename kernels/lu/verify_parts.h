/* What verify.c and verify_product.c share: a matrix in either order, and a factorisation under judgement.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_VERIFY_PARTS_H
#define TILELAB_LU_VERIFY_PARTS_H

#include "verify.h"

#include <stdlib.h>

enum { STREAM_RIGHT_SIDE = 2000, STREAM_CHOSEN_ROWS, STREAM_CHOSEN_COLS };

struct matrix {
    const void *data;
    int64_t precision, n;
    bool column_major;
};

static inline double at(const struct matrix *matrix, int64_t row, int64_t col)
{
    return operand_value(matrix->data, matrix->precision,
                         matrix->column_major ? col * matrix->n + row : row * matrix->n + col);
}

struct reference {
    struct factorisation of;
    uint64_t seed;
    double largest, norm; /* largest |a_ij|; largest row sum of |A| */
    double *right_side;
};

static inline struct matrix original(const struct reference *reference)
{
    const struct factorisation *of = &reference->of;
    return (struct matrix){of->a, of->precision, of->n, of->column_major};
}

struct judged {
    const struct reference *reference;
    struct matrix factors;
    int64_t *row; /* row i of L U is row[i] of A */
    double largest_l, largest_u;
    struct verdict *verdict;
};

static inline bool no_memory(struct judged *judged)
{
    return verdict_refuse(judged->verdict, "no memory to verify the result");
}

static inline double *reals(int64_t count)
{
    return malloc((size_t)count * sizeof(double));
}

/* Checks that L U is near enough to A in all entries that are compared. Leaves the largest error in the verdict. */
bool lu_verify_product(struct judged *judged, double u);

#endif
