/* What is wrong with a row of a product, in words.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_BLAME_H
#define TILELAB_VERIFY_PRODUCT_BLAME_H

#include "factors.h"
#include "problem.h"

/* Makes the verdict wrong and names an element of this row of C with the value that it should have, unless the verdict
 * has an earlier fault. The element is the first that is not finite, or else the one that is furthest off. The reason
 * says too whether nobody wrote the element, or somebody added to what it held (poison.h). The right values are
 * computed from A and B as they are now, in O(k n) operations. */
void product_blame(struct verdict *verdict, const struct product *product, const void *c, int64_t row);
/* Sets wrong[i] to 1 for each stored element i of C that is off by more than `allowed` times its element of |A||B|, or
 * is not finite. All right values are computed, in O(m k n) operations on all cores. Without memory, nothing is set. */
void product_blame_all(const struct product *product, double allowed, const void *c, unsigned char *wrong);

#endif
