/* What the two files share that verify a factorisation: verify_lu.c and verify_lu_product.c.
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
    double largest, norm; /* max |a_ij|; largest sum of a row of |A| */
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
    int64_t *row; /* of A, that row i of L U is */
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

/* Is every entry of L U that is looked at near enough to that of A? Leaves the largest error in the verdict. */
bool lu_verify_product(struct judged *judged, double u);

#endif
