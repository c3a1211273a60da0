/* The ways in which a run of a solver ends without convergence, for every CPU and BLAS variant; and what a library may
 * lack.
 * SPDX-License-Identifier: MIT */
#include "blas.h"
#include "cell.h"
#include "solver_cases.h"
#include "test.h"

#include <math.h>
#include <omp.h>

/* --- Runs that do not converge --- */

/* Runs a variant on the system that the test gives, and returns the log. */
static struct solver_log run_on(const struct entry *entry, struct job *job, int64_t n, const double *a, const double *b)
{
    const struct cell cell = cell_of(entry, F64, n);
    struct point point;
    point_open(&point, &cell, INPUTS_RANDOM, SEED);
    memcpy(point.operand[SOLVER_A], a, (size_t)(n * n) * sizeof *a);
    memcpy(point.operand[SOLVER_B], b, (size_t)n * sizeof *b);
    must_run(&point, job);
    const struct solver_log log = *log_of(&point);
    if (isfinite(log.residual))
        must_tell_its_residual(&point);
    point_close(&point);
    return log;
}

/* The matrix is nearly singular: each sweep gains a millionth. */
static void check_limit(const struct entry *entry, struct job *job)
{
    const double c = 1 - 1e-6, a[] = {1, c, c, 1}, b[] = {1, 0};
    const struct solver_log log = run_on(entry, job, 2, a, b);
    assert_int_equal(log.end, SOLVER_LIMIT);
    assert_int_equal(log.sweeps, solver_rule_of(&(struct cell){.n = 2}).limit);
}

/* The matrix is singular and the system has no solution: the residual stays. */
static void check_stall(const struct entry *entry, struct job *job)
{
    const double a[] = {1, 1, 1, 1}, b[] = {1, 0};
    const struct solver_log log = run_on(entry, job, 2, a, b);
    assert_int_equal(log.end, SOLVER_STALLED);
    assert_int_equal(log.sweeps, SOLVER_STALL_SWEEPS);
}

static void check_divergence(const struct entry *entry, struct job *job)
{
    const double a[] = {1, 3, 3, 1}, b[] = {1, 1};
    const struct solver_log log = run_on(entry, job, 2, a, b);
    assert_int_equal(log.end, SOLVER_DIVERGED);
    assert_true(log.residual > 1e10 && log.sweeps < 30);
}

static void check_zero_diagonal(const struct entry *entry, struct job *job)
{
    const double a[] = {9, 1, 2, 1, 0, 3, 2, 1, 9}, b[] = {1, 2, 3}, zero = 0;
    assert_int_equal(run_on(entry, job, 3, a, b).end, SOLVER_DIVERGED);
    assert_int_equal(run_on(entry, job, 1, &zero, b).end, SOLVER_DIVERGED);
}

static void check_nan(const struct entry *entry, struct job *job)
{
    double a[] = {9, 1, 2, 1, 9, 3, 2, 1, 9}, b[] = {1, 2, NAN};
    assert_int_equal(run_on(entry, job, 3, a, b).end, SOLVER_DIVERGED);
    b[2] = 3;
    a[1] = NAN;
    assert_int_equal(run_on(entry, job, 3, a, b).end, SOLVER_DIVERGED);
}

TEST(no_run_is_endless)
{
    static check *const checks[] = {check_limit, check_stall, check_divergence, check_zero_diagonal, check_nan};
    for (int threads = 1; threads <= 2; threads++) {
        omp_set_num_threads(threads);
        for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
            each_variant(NULL, checks[i]);
    }
}

/* --- Libraries --- */

TEST(a_library_without_these_calls_says_so)
{
    struct blas blas = {.path = "/lib/libhalf.so"};
    struct cell cell = {.precision = F64, .n = 1};
    struct job job = {.blas = &blas, .cell = &cell};
    cell.entry = registry_find("jacobi/blas-openblas-gemv");
    assert_int_not_equal(cell_variant(&cell)->prepare(&job), 0);
    assert_string_equal(job.error, "/lib/libhalf.so has no cblas_sgemv or no cblas_dgemv");
    cell.entry = registry_find("seidel/blas-openblas-gemv-trsv");
    assert_int_not_equal(cell_variant(&cell)->prepare(&job), 0);
    assert_string_equal(job.error, "/lib/libhalf.so has not all of cblas_?gemv, cblas_?trmv, cblas_?trsv");
}

TEST(trsv_is_for_an_omega_of_1_only)
{
    const struct entry *entry = registry_find("seidel/blas-openblas-gemv-trsv");
    struct cell cell = {.entry = entry, .precision = F64, .n = 1};
    assert_null(entry->meta->reject(&cell));
    cell.omega = OMEGA_ONE;
    assert_null(entry->meta->reject(&cell));
    cell.omega = TWO_THIRDS;
    assert_non_null(strstr(entry->meta->reject(&cell), "omega = 1 only"));
}

TEST_MAIN(open_libraries, NULL)
