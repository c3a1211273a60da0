/* Some rows of a product in higher precision; a part of verify.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_ROWS_H
#define TILELAB_VERIFY_ROWS_H

#include "verify.h"

enum { VERIFY_ROWS = 64 };

/* Rows row[0..rows) of A B as high + low, and of |A||B| (rows x n each), rows <= VERIFY_ROWS. f32:
 * summed in double. f64: with an error far below one rounding, for elements of magnitude at most 1
 * and k below 2^22. False on lack of memory. */
bool verify_rows(const struct product *product, const int64_t *row, int64_t rows, double *high,
                 double *low, double *scale);

#endif
