/* Some rows of a product in higher precision, for the verification of products and of LU.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_ROWS_H
#define TILELAB_VERIFY_PRODUCT_ROWS_H

#include "problem.h"

enum { PRODUCT_ROWS = 64 };

/* A product X Y of a rows x k and a k x n matrix, given by their elements, whose magnitude is at most 1. rows is at
 * most PRODUCT_ROWS. */
struct product_rows {
    int64_t precision, rows, k, n;
    double (*x)(const void *context, int64_t row, int64_t l);
    double (*y)(const void *context, int64_t l, int64_t col);
    const void *context;
    bool upper; /* Y is upper triangular: y(l, col) is 0 for l > col */
};

/* Computes X Y as high + low, and |X||Y| as scale; each is rows x n. f32 elements are multiplied and summed in double.
 * For f64 the error is far below one rounding if k is below 2^22 and the elements have one order of magnitude. The
 * error never exceeds that of sums in plain double. Returns false if memory is short. */
bool product_rows_multiply(const struct product_rows *rows, double *high, double *low, double *scale);

/* Chooses up to PRODUCT_ROWS of the numbers 0 to of - 1, in ascending order. The numbers are split into PRODUCT_ROWS
 * equal runs, and each run gives one number. The first and the last number are always chosen. Returns how many numbers
 * it chose. */
int64_t product_rows_choose(int64_t of, uint64_t seed, uint32_t stream, int64_t chosen[PRODUCT_ROWS]);

#endif
