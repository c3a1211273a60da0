/* x of A x = b by Jacobi's method: x_{k+1} = x_k + omega r_k / diag(A), with the residual r_k = b - A x_k.
 * A (n x n) is diagonally dominant and row-major; n is any. x_{k+1} and x_k are two vectors.
 * One thread computes one dot product a row. The product with the whole row also gives the residual, so that a sweep
 * reads A once; the source reads A again for its residual.
 * common/solver.h says when a run ends. A zero on the diagonal makes the run diverge.
 * Source: granular (CPU).
 * SPDX-License-Identifier: MIT */
#include "common/solver.h"

#include <math.h>
#include <stdlib.h>

/* Computes `next` from `now`. Returns the norm of the residual of `now`. */
static double sweep(const struct job *job, real omega, const real *now, real *next)
{
    const int64_t n = job->cell->n;
    const real *a = job->operand[SOLVER_A], *b = job->operand[SOLVER_B];
    double squares = 0;

    for (int64_t i = 0; i < n; i++) {
        real sum = 0;
        for (int64_t j = 0; j < n; j++)
            sum += a[i * n + j] * now[j];
        const real residual = b[i] - sum;
        next[i] = now[i] + omega * residual / a[i * n + i];
        squares += (double)residual * (double)residual;
    }
    return sqrt(squares);
}

static int prepare(struct job *job)
{
    job->state = malloc((size_t)job->cell->n * sizeof(real));
    return job->state ? 0 : job_fail(job, "out of memory for a second x");
}

static int run(struct job *job)
{
    const struct solver_rule rule = solver_rule_of(job->cell);
    const size_t size = (size_t)job->cell->n * sizeof(real);
    struct solver_log *log = job->operand[SOLVER_LOG];
    real *x[2] = {job->operand[SOLVER_X], job->state}; /* x_k is x[k % 2] */

    memset(x[0], 0, size);
    solver_begin(log);
    for (int64_t k = 0;; k++) {
        const double norm = sweep(job, (real)rule.omega, x[k % 2], x[(k + 1) % 2]);
        if (solver_note(&rule, log, k, norm) != SOLVER_RUNNING)
            break;
    }
    if (log->sweeps % 2 != 0)
        memcpy(x[0], x[1], size);
    return 0;
}

static void release(struct job *job)
{
    free(job->state);
}

VARIANT(jacobi, seq) = {
    .summary = "sequential, one dot product for each row",
    .summary_ru = "последовательно, скалярное произведение на каждую строку",
    .source = "granular",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
    .prepare = prepare,
    .run = run,
    .release = release,
};
