/* Verification of a copy.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_EQUAL_H
#define TILELAB_VERIFY_EQUAL_H

#include "problem.h"

/* Checks that `count` elements are those expected, bit for bit. */
void equal_verify(const void *expected, const void *found, int64_t count, int64_t precision, struct verdict *verdict);

#endif
