/* x of A x = b by Jacobi's method. gemv of a BLAS library, loaded at run time, computes the residual r_k = b - A x_k; a
 * loop computes x_{k+1} = x_k + omega r_k / diag(A).
 * A (n x n) is diagonally dominant and row-major; n is any within 32-bit integers.
 * A sweep reads A once; a run first copies the diagonal of A. The library splits the product over threads, if it splits
 * gemv at all. The loop has one thread.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "blas.h"
#include "common/solver.h"

#include <math.h>
#include <stdlib.h>

struct work {
    void *spare; /* the second x */
    void *residual;
    void *diagonal;
};

/* Defines the loops for one precision. */
#define LOOPS(real, suffix) \
    static void copy_diagonal_##suffix(int64_t n, const real *a, real *diagonal) \
    { \
        for (int64_t i = 0; i < n; i++) \
            diagonal[i] = a[i * n + i]; \
    } \
    static double update_##suffix(int64_t n, real omega, const struct work *work, const real *now, real *next) \
    { \
        const real *residual = work->residual, *diagonal = work->diagonal; \
        double squares = 0; \
        for (int64_t i = 0; i < n; i++) { \
            next[i] = now[i] + omega * residual[i] / diagonal[i]; \
            squares += (double)residual[i] * (double)residual[i]; \
        } \
        return sqrt(squares); \
    }
LOOPS(float, f32)
LOOPS(double, f64)

/* Computes `next` from `now`. Returns the norm of the residual of `now`. */
static double sweep(const struct job *job, double omega, const void *now, void *next)
{
    const struct blas *blas = job->blas;
    const struct work *work = job->state;
    const int n = (int)job->cell->n;
    const void *a = job->operand[SOLVER_A], *b = job->operand[SOLVER_B];

    memcpy(work->residual, b, (size_t)(n * cell_element_bytes(job->cell)));
    if (job->cell->precision == F32) {
        blas->sgemv(BLAS_ROW_MAJOR, BLAS_NO_TRANS, n, n, -1, a, n, now, 1, 1, work->residual, 1);
        return update_f32(n, (float)omega, work, now, next);
    }
    blas->dgemv(BLAS_ROW_MAJOR, BLAS_NO_TRANS, n, n, -1, a, n, now, 1, 1, work->residual, 1);
    return update_f64(n, omega, work, now, next);
}

static void release(struct job *job)
{
    struct work *work = job->state;
    free(work->spare);
    free(work->residual);
    free(work->diagonal);
    free(work);
}

static int prepare(struct job *job)
{
    const size_t size = (size_t)(job->cell->n * cell_element_bytes(job->cell));
    if (!job->blas->sgemv || !job->blas->dgemv)
        return job_fail(job, "%.200s has no cblas_sgemv or no cblas_dgemv", job->blas->path);
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return job_fail(job, "out of memory for a residual");
    job->state = work;
    work->spare = malloc(size);
    work->residual = malloc(size);
    work->diagonal = malloc(size);
    if (work->spare && work->residual && work->diagonal)
        return 0;
    release(job);
    return job_fail(job, "out of memory for a residual");
}

static int run(struct job *job)
{
    const struct solver_rule rule = solver_rule_of(job->cell);
    const struct work *work = job->state;
    const int64_t n = job->cell->n;
    const size_t size = (size_t)(n * cell_element_bytes(job->cell));
    struct solver_log *log = job->operand[SOLVER_LOG];
    void *x[2] = {job->operand[SOLVER_X], work->spare}; /* x_k is x[k % 2] */

    memset(x[0], 0, size);
    if (job->cell->precision == F32)
        copy_diagonal_f32(n, job->operand[SOLVER_A], work->diagonal);
    else
        copy_diagonal_f64(n, job->operand[SOLVER_A], work->diagonal);
    solver_begin(log);
    for (int64_t k = 0;; k++) {
        const double norm = sweep(job, rule.omega, x[k % 2], x[(k + 1) % 2]);
        if (solver_note(&rule, log, k, norm) != SOLVER_RUNNING)
            break;
    }
    if (log->sweeps % 2 != 0)
        memcpy(x[0], x[1], size);
    return 0;
}

VARIANT(jacobi, blas_gemv) = {
    .summary = "gemv of a BLAS library for the residual",
    .summary_ru = "gemv библиотеки BLAS для невязки",
    .source = "baseline",
    .vendor = true,
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .unit = UNIT_MEMORY,
    .typical_gflops = 4,
    .prepare = prepare,
    .run = run,
    .release = release,
};
