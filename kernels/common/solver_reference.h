/* Sweeps of an iterative solver in double precision: the reference that verifies the variants of jacobi and seidel.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_REFERENCE_H
#define TILELAB_COMMON_SOLVER_REFERENCE_H

#include "problem.h"

/* Jacobi computes each row from the x of the last sweep. Gauss-Seidel takes the rows above from the present sweep. */
enum solver_method { SOLVER_JACOBI, SOLVER_SEIDEL };

/* The system A x = b in f32 or f64; A is row-major. If A is distributed over a team, `a` is NULL, and all members do
 * the same with a system at the same time. Only Jacobi's method can do so. */
struct linear_system {
    int64_t precision, n;
    enum solver_method method;
    const void *a, *b;
    const struct distributed_matrix *distributed; /* A of a team, else NULL */
};

/* A matrix of which no memory holds the whole. */
struct distributed_matrix {
    /* product = A x, or |A| x with `magnitudes`. After a failure the products are NaN. */
    void (*multiply)(const struct distributed_matrix *matrix, bool magnitudes, const double *x, double *product);
    const double *diagonal;
    void *context;
};

struct solver_reference;
/* Begins with x = 0. `homogeneous` serves the spectral radius: x is random and b is 0. NULL: no memory. */
struct solver_reference *solver_reference_begin(const struct linear_system *of, double omega, bool homogeneous);
/* Does one sweep on all cores. Returns the norm of the residual of the x from before the sweep. */
double solver_reference_sweep(struct solver_reference *iteration);
const double *solver_reference_x(const struct solver_reference *iteration);
/* The x from before the last sweep. */
const double *solver_reference_before(const struct solver_reference *iteration);
/* The largest |x_i| of all sweeps, and the largest change of an element in the last sweep. NaN wins over any number. */
double solver_reference_largest(const struct solver_reference *iteration);
double solver_reference_change(const struct solver_reference *iteration);
void solver_reference_end(struct solver_reference *iteration);

/* The spectral radius of the iteration's matrix, by power iteration; NAN if memory is short. */
double solver_reference_radius(const struct linear_system *of, double omega);

/* The sum of a(row, col) x(col) for begin <= col < end. */
double solver_reference_dot(const struct linear_system *of, int64_t row, int64_t begin, int64_t end, const double *x);

#endif
