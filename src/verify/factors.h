/* A product that is verified.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_FACTORS_H
#define TILELAB_VERIFY_FACTORS_H

#include "layout.h"

#include <stdint.h>

/* C = A B (m x k by k x n). `input_roundoff` is the unit roundoff to which the variant rounds its inputs; 0: it does
 * not round them. Elements lose their bits below `input_floor`. Only product_verify() uses these two members. */
struct product {
    int64_t precision, m, n, k;
    double input_roundoff, input_floor;
    const void *a, *b;
    enum layout b_layout, c_layout; /* A is LAYOUT_PLAIN */
};

#endif
