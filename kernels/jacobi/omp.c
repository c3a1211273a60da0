/* x of A x = b by Jacobi's method: x_{k+1} = x_k + omega r_k / diag(A), with the residual r_k = b - A x_k.
 * A (n x n) is diagonally dominant and row-major; n is any.
 * Each thread owns a run of rows, and sums several of them at once. The threads stay together for the whole run, with
 * one barrier a sweep (common/solver_team.h). Each thread sees for itself whether a sweep was the last.
 * Runs with the same number of threads sum in the same order.
 * Differs from seq: threads and SIMD vectors. Source: granular.
 * SPDX-License-Identifier: MIT */
#include "common/solver_team.h"

static double sweep(const struct job *job, const struct solver_team *team, int64_t k)
{
    const int64_t n = team->n;
    const real *a = team->a, *now = team->x[k % 2], omega = (real)team->rule.omega;
    real *next = team->x[(k + 1) % 2];
    double squares = 0;
    int64_t first, end;

    (void)job;
    solver_team_rows(team, &first, &end);
    for (int64_t i0 = first; i0 < end; i0 += ROWS) {
        const int64_t rows = solver_min(ROWS, end - i0);
        real sum[ROWS] = {0};
        solver_add_rows(rows, a + i0 * n, n, 0, n, now, sum);
        for (int64_t r = 0; r < rows; r++) {
            const int64_t i = i0 + r;
            const real residual = team->b[i] - sum[r];
            next[i] = now[i] + omega * residual / a[i * n + i];
            squares += (double)residual * (double)residual;
        }
    }
    return squares;
}

static int prepare(struct job *job)
{
    return solver_team_new(job, 0);
}

static int run(struct job *job)
{
    struct solver_team *team = job->state;
    solver_team_begin(job, team);
    solver_team_run(job, team, sweep);
    return 0;
}

VARIANT(jacobi, omp) = {
    .summary = "rows shared among threads, several rows at a time, one barrier a sweep",
    .summary_ru = "строки поделены между потоками, по нескольку строк сразу, один барьер на итерацию",
    .source = "granular",
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .unit = UNIT_MEMORY,
    .typical_gflops = 4,
    .prepare = prepare,
    .run = run,
    .release = solver_team_delete,
};
