/* Verification of a matrix product whose matrices are distributed over a team.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_PRODUCT_TEAM_H
#define TILELAB_VERIFY_PRODUCT_TEAM_H

#include "team_variant.h"

/* C = A B: the numbers of the operands. If B is A, the second factor is read transposed. */
struct product_team {
    int a, b, c;
    bool lower; /* only the lower triangle of C was computed */
};

/* The inputs of a factor, as product_fill() makes them. */
struct team_inputs product_team_inputs(const struct cell *cell, int64_t k, int operand, enum inputs inputs,
                                       uint64_t seed);
/* Compares C r with A (B r) for three vectors r of signs. For integers the two must be equal; for reals the bound of
 * each row is that of product_verify(). */
void product_team_judge(struct team_check *check, const struct product_team *of, struct verdict *verdict);

#endif
