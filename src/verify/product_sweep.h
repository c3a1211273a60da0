/* A matrix times three vectors, in wrapping integers or nearly exact reals; a part of verify.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_SWEEP_H
#define TILELAB_VERIFY_PRODUCT_SWEEP_H

#include "product.h"

/* Vectors are interleaved: element i of vector v is [PROBES * i + v]. */
enum { PROBES = 3 };
/* Elements that are worth a thread. */
enum { PRODUCT_SHARE = 1 << 15 };

struct product_sweep {
    const void *matrix; /* rows x cols */
    enum layout layout;
    int64_t precision, rows, cols;
    int64_t rows_a_share; /* set by product_sweep */
    /* Integers. */
    const uint64_t *factor;
    uint64_t *product;
    /* Reals: factors as a sum of two, or signs if there is no second part. */
    const double *factor_high, *factor_low;
    double *product_high, *product_low;
    const double *weight; /* for weighted: sum of |element| weight; NULL: 1 */
    double *weighted;     /* NULL: not wanted */
    /* What a check of the matrix also wants; NULL: not wanted. */
    double *norm2;
    bool *integral;
};

/* With all cores; every row of the result depends on its row of the matrix alone. */
void product_sweep(struct product_sweep sweep);

#endif
