/* Verification of a factorisation A = L U or P A = L U in place. The method chapter of the report derives the bounds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_VERIFY_H
#define TILELAB_LU_VERIFY_H

#include "problem.h"

/* L is unit lower triangular and lies below the diagonal; U lies on the diagonal and above. Up to n = LU_WHOLE, every
 * entry of L U is checked; for larger n, the entries of PRODUCT_ROWS random rows and columns. */
enum { LU_WHOLE = 2048 };

struct factorisation {
    int64_t precision, n;
    bool column_major;
    enum pivoting pivoting;
    bool exact;    /* A is the identity, whose factors need no rounding */
    const void *a; /* before the factorisation */
};

/* Makes what does not depend on the factors; `of->a` must outlive it. Returns NULL if memory is short. */
void *lu_verify_reference(const struct factorisation *of, uint64_t seed);
void lu_verify_reference_free(void *reference);
/* Judges the factors. With partial pivoting, row i + 1 was exchanged with row pivots[i], as in LAPACK: rows count from
 * 1, and pivots[i] is at least i + 1. */
void lu_verify(const void *reference, const void *factors, const int32_t *pivots, struct verdict *verdict);

#endif
