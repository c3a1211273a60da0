/* What the problems jacobi and seidel share: shapes, inputs, work and verification.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_PROBLEM_H
#define TILELAB_COMMON_SOLVER_PROBLEM_H

#include "problem.h"
#include "solver.h"

void solver_problem_shape_matrix(const struct cell *cell, int64_t *rows, int64_t *cols);
void solver_problem_shape_vector(const struct cell *cell, int64_t *rows, int64_t *cols);
void solver_problem_shape_log(const struct cell *cell, int64_t *rows, int64_t *cols);

#define SOLVER_OPERANDS \
    { \
        [SOLVER_A] = {"A", INPUT, solver_problem_shape_matrix, 1, 1}, \
        [SOLVER_B] = {"b", INPUT, solver_problem_shape_vector, 1, 0}, \
        [SOLVER_X] = {"x", OUTPUT, solver_problem_shape_vector, 1, 0}, \
        [SOLVER_LOG] = {"log", OUTPUT, solver_problem_shape_log}, \
    }
#define SOLVER_ELEMENT_BYTES \
    { \
        [SOLVER_LOG] = 8 \
    }
#define SOLVER_AXES (HONOURS(n) | HONOURS(omega) | HONOURS(sweeps))

/* The work of one sweep: r = b - A x, x + omega D^-1 r and the norm of r. It reads A and b once, and reads and writes
 * x. */
double solver_problem_flops(const struct cell *cell);
double solver_problem_bytes(const struct cell *cell);
/* The sweeps that a run is expected to take, from the spectral radius that the matrices have for large n. */
double solver_problem_jacobi_sweeps(const struct cell *cell);
double solver_problem_seidel_sweeps(const struct cell *cell);
/* The kinds of inputs that a cell may be timed on. */
bool solver_problem_has_special(const struct cell *cell, enum inputs inputs);
/* Generates A and b as the sources do; omega and the number of sweeps do not matter. b is uniform with every kind of
 * inputs, since a solver of A x = 0 has nothing to do. */
void solver_problem_generate(const struct cell *cell, enum inputs inputs, uint64_t seed, void *const operand[]);
void *solver_problem_jacobi_reference(const struct cell *cell, enum inputs inputs, uint64_t seed,
                                      void *const operand[]);
void *solver_problem_seidel_reference(const struct cell *cell, enum inputs inputs, uint64_t seed,
                                      void *const operand[]);
void solver_problem_verify(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                           struct verdict *verdict);
/* The same for Jacobi's method on a team, without a copy of A. */
extern const struct team_problem solver_problem_jacobi_team;

#endif
