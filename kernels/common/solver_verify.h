/* Verification of an iterative solution of A x = b. The method chapter of the report derives the bounds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_VERIFY_H
#define TILELAB_COMMON_SOLVER_VERIFY_H

#include "solver.h"
#include "solver_reference.h"

/* The reference does at most SOLVER_FOLLOWED sweeps until convergence. The spectral radius is computed for n up to
 * SOLVER_RADIUS_MOST. */
enum { SOLVER_FOLLOWED = 128, SOLVER_RADIUS_MOST = 2048 };

/* Makes what does not depend on the solution; `of->a` and `of->b` must outlive it. solver_verify() adds the reference's
 * iterates when it first needs them for a rule. Returns NULL if memory is short. */
void *solver_verify_reference(const struct linear_system *of);
void solver_verify_reference_free(void *reference);
/* Judges x and the log of a run. `chaotic` means that the variant updates rows in no fixed order: then its iterates are
 * not compared with those of the reference. */
void solver_verify(const void *reference, const struct solver_rule *rule, bool chaotic, const void *x,
                   const struct solver_log *log, struct verdict *verdict);

#endif
