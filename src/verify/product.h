/* Verification of matrix products, for all problems that are products. The method chapter of the report derives the
 * bounds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_H
#define TILELAB_VERIFY_PRODUCT_H

#include "layout.h"
#include "problem.h"

/* A product C = A B (m x k by k x n). The check depends on the inputs. For i32 and INPUTS_EXACT it is Freivalds' check
 * with three vectors, in 64-bit integers and with tolerance 0. The elements of INPUTS_RANDOM lie in [-1, 1]. For them
 * it compares 64 random rows entry by entry in higher precision. It also applies Freivalds' check with a bound for each
 * row. `input_roundoff` is the unit roundoff to which the variant rounds its inputs; 0: it does not round them. Only
 * product_verify() uses this member. */
struct product {
    int64_t precision, m, n, k;
    double input_roundoff;
    const void *a, *b;
    enum layout b_layout, c_layout; /* A is LAYOUT_PLAIN */
};
/* Makes what does not depend on C. Returns NULL if memory is short. */
void *product_reference(const struct product *product, enum inputs inputs, uint64_t seed);
void product_reference_free(void *reference);
void product_verify(const struct product *product, enum inputs inputs, const void *reference, const void *c,
                    struct verdict *verdict);

#endif
