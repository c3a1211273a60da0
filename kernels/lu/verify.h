/* Verification of a factorisation A = L U or P A = L U in place. Bounds and their origin: the method chapter of the
 * report.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_VERIFY_H
#define TILELAB_LU_VERIFY_H

#include "problem.h"

/* Unit lower L below the diagonal, U on it and above. Every entry of L U is checked up to this order, above it
 * PRODUCT_ROWS random rows and columns. */
enum { LU_WHOLE = 2048 };

struct factorisation {
    int64_t precision, n;
    bool column_major;
    enum pivoting pivoting;
    const void *a; /* as it was */
};

/* What does not depend on the factors; keeps `of->a`. NULL on lack of memory. */
void *lu_verify_reference(const struct factorisation *of, uint64_t seed);
void lu_verify_reference_free(void *reference);
/* `pivots`, with partial pivoting: row i was exchanged with row pivots[i] >= i, counted from 1, as LAPACK has it. */
void lu_verify(const void *reference, const void *factors, const int32_t *pivots, struct verdict *verdict);

#endif
