/* Freivalds' check of a product multiplies matrices by a few random vectors. This is such a multiplication, in integers
 * that wrap or in nearly exact reals.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_FREIVALDS_H
#define TILELAB_VERIFY_PRODUCT_FREIVALDS_H

#include "layout.h"
#include "problem.h"

/* The number of vectors. They are interleaved: element i of vector v has the index CHECK_VECTORS * i + v. */
enum { CHECK_VECTORS = 3 };
/* Fewer elements do not pay for a thread. */
enum { PRODUCT_SHARE = 1 << 15 };

struct product_freivalds {
    const void *matrix; /* rows x cols */
    enum layout layout;
    int64_t precision, rows, cols;
    int64_t rows_a_share; /* product_freivalds() sets this */
    /* For integers. */
    const uint64_t *factor;
    uint64_t *product;
    /* For reals. A factor is factor_high + factor_low; if factor_low is NULL, all factors are 1 or -1. */
    const double *factor_high, *factor_low;
    double *product_high, *product_low;
    double *weighted;     /* for each row the sum of |element| weight; NULL: not wanted */
    const double *weight; /* NULL: all weights are 1 */
    /* For each row: the sum of squares, and whether all elements are integers of at most 53 bits; NULL: not wanted. */
    double *norm2;
    bool *integral;
};

/* Multiplies on all cores. A row of the result depends only on its row of the matrix, whatever the number of cores. */
void product_freivalds(struct product_freivalds pass);

#endif
