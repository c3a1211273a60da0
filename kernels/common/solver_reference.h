/* Sweeps of a relaxation in double, by which the solvers' variants are judged; a part of verify_solve.c.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_REFERENCE_H
#define TILELAB_COMMON_SOLVER_REFERENCE_H

#include "problem.h"

/* Each row from the x of the sweep before, or from what the rows before it have just found. */
enum solver_method { SOLVER_JACOBI, SOLVER_SEIDEL };

/* A x = b, of f32 or f64; A is row-major. */
struct linear_system {
    int64_t precision, n;
    enum solver_method method;
    const void *a, *b;
};

struct solver_reference;
/* x = 0; or, for the spectral radius, a vector without any pattern, and b = 0. NULL on lack of memory. */
struct solver_reference *solver_reference_begin(const struct linear_system *of, double omega, bool homogeneous);
/* One sweep with all cores; returns the norm of the residual of the x before. */
double solver_reference_sweep(struct solver_reference *iteration);
const double *solver_reference_x(const struct solver_reference *iteration);
/* Largest |x_i| there has been, and largest change of an element by the last sweep. NaN if there is one. */
double solver_reference_largest(const struct solver_reference *iteration);
double solver_reference_change(const struct solver_reference *iteration);
void solver_reference_end(struct solver_reference *iteration);

/* Of the iteration's matrix, by power iteration; NAN on lack of memory. */
double solver_reference_radius(const struct linear_system *of, double omega);

/* Sum of a(row, col) x(col) for begin <= col < end. */
double solver_reference_dot(const struct linear_system *of, int64_t row, int64_t begin, int64_t end, const double *x);

#endif
