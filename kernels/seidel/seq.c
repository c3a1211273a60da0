/* x of A x = b by Gauss-Seidel or successive over-relaxation, row by row: x_i += omega r_i / a_ii. r_i is the residual
 * of row i with the x found so far.
 * A (n x n) is diagonally dominant and row-major; n is any. One thread computes a row as two dot products, left and
 * right of the diagonal. The residual of x_k takes the left sum from the last sweep and the right sum from this one. So
 * a sweep reads A once; the source reads A again for its residual.
 * common/solver.h says when a run ends; a zero on the diagonal makes it diverge. Source: granular (CPU).
 * SPDX-License-Identifier: MIT */
#include "row.h"
#include "common/solver.h"

#include <math.h>
#include <stdlib.h>

/* Computes `next` from `now`. Returns the norm of the residual of `now`. */
static double sweep(const struct job *job, real omega, real *rest, const real *now, real *next)
{
    const int64_t n = job->cell->n;
    const real *a = job->operand[SOLVER_A], *b = job->operand[SOLVER_B];
    double squares = 0;

    for (int64_t i = 0; i < n; i++) {
        struct seidel_row row = {.diagonal = a[i * n + i], .b = b[i], .now = now[i]};
        for (int64_t j = 0; j < i; j++)
            row.lower += a[i * n + j] * next[j];
        for (int64_t j = i + 1; j < n; j++)
            row.upper += a[i * n + j] * now[j];
        const real residual = seidel_finish_row(&row, omega, &rest[i], &next[i]);
        squares += (double)residual * (double)residual;
    }
    return sqrt(squares);
}

static int prepare(struct job *job)
{
    job->state = malloc(2 * (size_t)job->cell->n * sizeof(real));
    return job->state ? 0 : job_fail(job, "out of memory for a second x");
}

static int run(struct job *job)
{
    const struct solver_rule rule = solver_rule_of(job->cell);
    const size_t size = (size_t)job->cell->n * sizeof(real);
    struct solver_log *log = job->operand[SOLVER_LOG];
    real *rest = job->state;
    real *x[2] = {job->operand[SOLVER_X], rest + job->cell->n}; /* x_k is x[k % 2] */

    memset(x[0], 0, size);
    memcpy(rest, job->operand[SOLVER_B], size);
    solver_begin(log);
    for (int64_t k = 0;; k++) {
        const double norm = sweep(job, (real)rule.omega, rest, x[k % 2], x[(k + 1) % 2]);
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

VARIANT(seidel, seq) = {
    .summary = "sequential, row by row, dot products left and right of the diagonal",
    .summary_ru = "последовательно по строкам, скалярные произведения слева и справа от диагонали",
    .source = "granular",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
    .prepare = prepare,
    .run = run,
    .release = release,
};
