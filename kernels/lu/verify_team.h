/* Verification of a factorisation that is distributed over a team.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_VERIFY_TEAM_H
#define TILELAB_LU_VERIFY_TEAM_H

#include "team_variant.h"

/* Solves A x = b with the factors, for a right-hand side that the factorisation has not seen. The scaled residual
 * |b - A x| / (u n (|A| |x| + |b|)), in maximum norms, must be below 16, as in HPL. */
extern const struct team_problem lu_verify_team;

#endif
