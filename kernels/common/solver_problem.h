/* What the problems of iterative solvers share: shapes, inputs, work and verification.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_PROBLEM_H
#define TILELAB_COMMON_SOLVER_PROBLEM_H

#include "problem.h"
#include "solver.h"

void solve_shape_matrix(const struct cell *cell, int64_t *rows, int64_t *cols);
void solve_shape_vector(const struct cell *cell, int64_t *rows, int64_t *cols);
void solve_shape_log(const struct cell *cell, int64_t *rows, int64_t *cols);

#define SOLVE_OPERANDS \
    { \
        [SOLVE_A] = {"A", INPUT, solve_shape_matrix}, [SOLVE_B] = {"b", INPUT, solve_shape_vector}, \
        [SOLVE_X] = {"x", OUTPUT, solve_shape_vector}, [SOLVE_LOG] = {"log", OUTPUT, solve_shape_log}, \
    }
#define SOLVE_ELEMENT_BYTES \
    { \
        [SOLVE_LOG] = 8 \
    }
#define SOLVE_AXES (HONOURS(n) | HONOURS(omega) | HONOURS(sweeps))

/* Of one sweep: r = b - A x, x + omega D^-1 r, and the norm of r; A and b read once, x read and written. */
double solve_flops(const struct cell *cell);
double solve_bytes(const struct cell *cell);
/* That a run is expected to take, from the spectral radius that the sources' matrices tend to. */
double solve_jacobi_sweeps(const struct cell *cell);
double solve_seidel_sweeps(const struct cell *cell);
/* The sources' matrices. The same for every omega and number of sweeps. */
void solve_generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
void *solve_jacobi_reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
void *solve_seidel_reference(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
void solve_judge(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                 struct verdict *verdict);

#endif
