/* Inputs that are hard for a product or a factorisation, and the check of a product entry by entry.
 * SPDX-License-Identifier: MIT
 *
 * INPUTS_GRADED: each row of A and of B has a magnitude of its own, 2^-20 to 2^20 in f32 and 2^-200 to 2^200 in f64.
 * INPUTS_DENORMALS: the elements of every second row are denormal, and those of the other rows lie near 2^40.
 * INPUTS_NONFINITE: the first row has an infinity, and the last row a NaN. All other elements are uniform in [-1, 1).
 * An entry of C whose exact value is not finite must not be finite. All other entries must be right.
 * INPUTS_TIES, for a factorisation with pivots: up to the middle column, a row of the first half and its twin in the
 * second half differ by two units in the last place at most, or not at all. So in each step of the first half, rounding
 * errors decide between two candidates. In the first column all candidates are 1 or -1 but for two such units.
 * INPUTS_CONSTANT: all elements are 0.1, so that the rounding errors of a sum need not have random signs. */
#ifndef TILELAB_VERIFY_SPECIAL_H
#define TILELAB_VERIFY_SPECIAL_H

#include "factors.h"
#include "problem.h"

/* Whether inputs of this kind are special. */
static inline bool special_inputs(enum inputs inputs)
{
    return inputs >= INPUTS_GRADED;
}

/* Fills a rows x cols factor of a product with reals. */
void special_fill(void *to, int64_t rows, int64_t cols, int64_t precision, enum inputs inputs, uint64_t seed,
                  uint32_t stream);

/* Changes an n x n matrix that inputs_fill_matrix() has filled: INPUTS_GRADED or INPUTS_TIES. */
void special_change_matrix(void *to, int64_t n, int64_t precision, enum inputs inputs, bool column_major, uint64_t seed,
                           uint32_t stream);

struct special_reference;
/* Computes up to 64 rows of C in long double. Returns NULL if memory is short. */
struct special_reference *special_reference(const struct product *product, uint64_t seed);
void special_reference_free(struct special_reference *reference);
/* Judges these rows. An entry may be off by `allowed` |A||B|. What else it may lose to denormals: a product of two
 * elements may be off by the smallest denormal number, and an element of an input by product->input_floor. */
void special_verify(const struct product *product, const struct special_reference *reference, const void *c,
                    double allowed, struct verdict *verdict);

#endif
