/* The last step of a row, for all variants that keep to the order of rows.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SEIDEL_ROW_H
#define TILELAB_SEIDEL_ROW_H

#include "variant.h"

/* Row i of A = L + D + U in sweep k. */
struct seidel_row {
    real lower;    /* L x_{k+1} */
    real upper;    /* U x_k */
    real diagonal; /* a_ii */
    real b, now;   /* b_i, and element i of x_k */
};

/* Computes element i of x_{k+1}. Returns the row's residual b - A x_k. `rest` holds b - L x_k from the last sweep, and
 * b before the first sweep; this function stores b - L x_{k+1} there. So a sweep reads each half of the row once. */
static inline real seidel_finish_row(const struct seidel_row *row, real omega, real *rest, real *next)
{
    const real known = row->upper + row->diagonal * row->now, residual = *rest - known;
    *rest = row->b - row->lower;
    *next = row->now + omega * (*rest - known) / row->diagonal;
    return residual;
}

#endif
