/* Verification of an iterative solution of A x = b. Bounds and their origin: the method chapter of the report.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_SOLVE_H
#define TILELAB_VERIFY_SOLVE_H

#include "problem.h"
#include "solve.h"

enum method { METHOD_JACOBI, METHOD_SEIDEL };

struct linear_system {
    int64_t precision, n;
    bool column_major;
    enum method method;
    const void *a, *b;
};

/* What does not depend on the solution; keeps `of->a` and `of->b`. NULL on lack of memory. */
void *solve_reference(const struct linear_system *of);
void solve_reference_free(void *reference);
/* `chaotic`: of no exact order, so that its way is not compared with the reference's. */
void solve_verify(const void *reference, const struct solve_rule *rule, bool chaotic, const void *x,
                  const struct solve_log *log, struct verdict *verdict);

#endif
