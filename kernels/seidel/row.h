/* The last step of a row in the given order, for all variants that keep to it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SEIDEL_ROW_H
#define TILELAB_SEIDEL_ROW_H

#include "variant.h"

/* One row i of A = L + D + U in sweep k. */
struct seidel_row {
    real lower;    /* L x_{k+1} */
    real upper;    /* U x_k */
    real diagonal; /* a_ii */
    real b, now;   /* b_i, and x_i of x_k */
};

/* Makes x_i of x_{k+1}; returns the residual b - A x_k of this row. `rest` holds b - L x_k, which the last sweep left
 * here (before the first one: b), and gets b - L x_{k+1}. So each half of the row is read once a sweep. */
static inline real seidel_finish_row(const struct seidel_row *row, real omega, real *rest, real *next)
{
    const real known = row->upper + row->diagonal * row->now, residual = *rest - known;
    *rest = row->b - row->lower;
    *next = row->now + omega * (*rest - known) / row->diagonal;
    return residual;
}

#endif
