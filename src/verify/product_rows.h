/* Some rows of a product in higher precision; a part of verify.c and verify_lu.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_ROWS_H
#define TILELAB_VERIFY_PRODUCT_ROWS_H

#include "problem.h"

enum { PRODUCT_ROWS = 64 };

/* X Y, rows x k times k x n, rows <= PRODUCT_ROWS: elements of magnitude at most 1. */
struct product_rows {
    int64_t precision, rows, k, n;
    double (*x)(const void *context, int64_t row, int64_t l);
    double (*y)(const void *context, int64_t l, int64_t col);
    const void *context;
    bool upper; /* y is 0 for l > col */
};

/* X Y as high + low, and |X||Y| (rows x n each). f32: summed in double. f64: with an error far below
 * one rounding, for k below 2^22 and elements of one order of magnitude, never above that of plain
 * double. False on lack of memory. */
bool product_rows_multiply(const struct product_rows *rows, double *high, double *low, double *scale);

/* One of each of PRODUCT_ROWS equal runs of 0 .. of - 1, ascending, the first and the last among them;
 * all where there are fewer. Returns how many. */
int64_t product_rows_choose(int64_t of, uint64_t seed, uint32_t stream, int64_t chosen[PRODUCT_ROWS]);

#endif
