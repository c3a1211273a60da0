/* What the tests of the iterative solvers share: their variants, and the methods as textbooks write them.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_SOLVER_CASES_H
#define TILELAB_TESTS_SOLVER_CASES_H

#include "point.h"
#include "common/solver.h"

enum { SEED = 42, TWO_THIRDS = 666666667, MORE_THAN_ONE = 1200000000 };

/* Loads the BLAS libraries of this machine. It is the set-up function of a group of tests. */
int open_libraries(void **state);

/* Calls check(entry, job) for each variant of a problem, or with NULL of both problems. Variants whose library is
 * missing are left out. */
typedef void check(const struct entry *entry, struct job *job);
void each_variant(const char *problem, check *check);

/* A cell with the variant's defaults, in the best build for this CPU. */
struct cell cell_of(const struct entry *entry, int64_t precision, int64_t n);
/* Whether the variant computes the method's iterates exactly in order with the present number of threads. */
bool in_order(const struct entry *entry);
/* Runs the variant on poisoned outputs. If the run fails, the test fails. */
void must_run(struct point *point, struct job *job);
const struct solver_log *log_of(const struct point *point);

/* A method in long double, from x = 0. */
struct iteration {
    int64_t n, precision;
    const void *a, *b;
    bool jacobi;
    long double omega;
    long double *x, *old;
    double scale; /* the norm of |A||x| + |b|, which is the unit of the rounding errors of a residual */
};

void iteration_open(struct iteration *of, const struct point *point);
void iteration_close(struct iteration *of);
long double iteration_element(const struct iteration *of, int64_t row, int64_t col);
/* Returns the norm of b - A x, and sets the scale. */
double iteration_residual(struct iteration *of);
void iteration_sweep(struct iteration *of);

/* A bound on the rounding errors of correct code, in units of the scale. */
double roundoff(const struct cell *cell);

/* The test fails unless the answer has the residual that the log tells. */
void must_tell_its_residual(const struct point *point);

#endif
