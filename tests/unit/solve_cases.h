/* What the tests of the iterative solvers share: their variants, and the method itself as textbooks have it.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_SOLVE_CASES_H
#define TILELAB_TESTS_SOLVE_CASES_H

#include "point.h"
#include "common/solver.h"

enum { SEED = 42, TWO_THIRDS = 666666667, MORE_THAN_ONE = 1200000000 };

/* Loads the BLAS libraries that are here; for cmocka's set-up of a group. */
int open_libraries(void **state);

/* Calls check(entry, job) for each variant of a problem, or of both (NULL), whose library is here. */
typedef void check(const struct entry *entry, struct job *job);
void each_variant(const char *problem, check *check);

/* With the variant's defaults, in its best build. */
struct cell cell_of(const struct entry *entry, int64_t precision, int64_t n);
/* Whether its iterates are those of the method, with so many threads. */
bool in_order(const struct entry *entry);
/* Runs on poisoned outputs, or the test fails. */
void must_run(struct point *point, struct job *job);
const struct solver_log *log_of(const struct point *point);

/* In long double, from x = 0. */
struct iteration {
    int64_t n, precision;
    const void *a, *b;
    bool jacobi;
    long double omega;
    long double *x, *old;
    double scale; /* norm of |A||x| + |b|: what rounding makes of a residual is in units of it */
};

void iteration_open(struct iteration *of, const struct point *point);
void iteration_close(struct iteration *of);
long double iteration_element(const struct iteration *of, int64_t row, int64_t col);
/* The norm of b - A x; sets the scale. */
double iteration_residual(struct iteration *of);
void iteration_sweep(struct iteration *of);

/* What correct code stays below, in units of the scale. */
double roundoff(const struct cell *cell);

/* Fails unless the answer is the iterate whose residual the log tells. */
void must_tell_its_residual(const struct point *point);

#endif
