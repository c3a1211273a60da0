/* Verification of an iterative solution of A x = b. Bounds and their origin: the method chapter of the report.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_VERIFY_H
#define TILELAB_COMMON_SOLVER_VERIFY_H

#include "solver.h"
#include "solver_reference.h"

/* Until it converges, the reference is followed for so many sweeps; and the radius is computed up to this order. */
enum { SOLVER_FOLLOWED = 128, SOLVER_RADIUS_MOST = 2048 };

/* What does not depend on the solution; keeps `of->a` and `of->b`. The reference's iterates are added for each rule when
 * it is first asked for. NULL on lack of memory. */
void *solver_verify_reference(const struct linear_system *of);
void solver_verify_reference_free(void *reference);
/* `chaotic`: of no exact order, so that its way is not compared with the reference's. */
void solver_verify(const void *reference, const struct solver_rule *rule, bool chaotic, const void *x,
                   const struct solver_log *log, struct verdict *verdict);

#endif
