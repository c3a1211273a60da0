/* Verification of matrix products, for all problems that are products. The method chapter of the report derives the
 * bounds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_H
#define TILELAB_VERIFY_PRODUCT_H

#include "factors.h"
#include "problem.h"

/* The check depends on the inputs. For i32, INPUTS_EXACT and INPUTS_ZEROS it is Freivalds' check with three vectors, in
 * 64-bit integers and with tolerance 0. The elements of RANDOM, NORMAL and SMALL inputs lie in [-1, 1]. For them it
 * compares 64 random rows entry by entry in higher precision. It also applies Freivalds' check with a bound for each
 * row. special.h describes the other inputs. */

/* Fills a rows x cols factor of a product whose entries are sums of k terms. */
void product_fill(void *to, int64_t rows, int64_t cols, int64_t precision, int64_t k, enum inputs inputs, uint64_t seed,
                  uint32_t stream);
/* Makes what does not depend on C. Returns NULL if memory is short. */
void *product_reference(const struct product *product, enum inputs inputs, uint64_t seed);
void product_reference_free(void *reference);
void product_verify(const struct product *product, enum inputs inputs, const void *reference, const void *c,
                    struct verdict *verdict);
/* Marks the wrong elements of C, as `mark` of struct problem does. */
void product_mark(const struct product *product, enum inputs inputs, const void *c, unsigned char *wrong);

#endif
