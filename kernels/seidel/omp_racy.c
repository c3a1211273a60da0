/* x of A x = b by chaotic relaxation (Chazan and Miranker 1969): as Gauss-Seidel, but each thread reads the one x as it
 * is at that moment. On one thread this is Gauss-Seidel.
 * A (n x n) is diagonally dominant and row-major; n is any. Each thread owns neighbouring rows and takes them in order.
 * Relaxed atomics access x. A sweep has one barrier (common/solver_team.h). No two runs are alike.
 * A second sum of each row, with x from before the sweep, gives the exact residual; the source reads A again for it.
 * Differs from seq: threads that wait for no row, SIMD vectors. Source: granular.
 * SPDX-License-Identifier: MIT */
#include "common/solver_team.h"

enum { LIVE = 1, OWN_VECTORS = 1, FETCHED = 64 };

/* Computes row i and returns its residual. All threads read and write x; team->x[k % 2] is x_k, x between two
 * sweeps. */
static real sweep_row(const struct solver_team *team, int64_t k, int64_t i, real *x)
{
    const int64_t n = team->n;
    const real *a = team->a + i * n, *stood = team->x[k % 2];
    real sum = 0, sum_stood = 0;

    for (int64_t j0 = 0; j0 < n; j0 += FETCHED) {
        const int64_t count = solver_min(FETCHED, n - j0);
        real fetched[FETCHED]; /* compilers do not vectorise sums of elements that atomics read */
        for (int64_t j = 0; j < count; j++) {
#pragma omp atomic read
            fetched[j] = x[j0 + j];
        }
#pragma omp simd reduction(+ : sum, sum_stood)
        for (int64_t j = 0; j < count; j++) {
            sum += a[j0 + j] * fetched[j];
            sum_stood += a[j0 + j] * stood[j0 + j];
        }
    }
    /* No other thread writes this element, so that x[i] is still that of x_k. */
    const real next = stood[i] + (real)team->rule.omega * (team->b[i] - sum) / a[i];
#pragma omp atomic write
    x[i] = next;
    team->x[(k + 1) % 2][i] = next;
    return team->b[i] - sum_stood;
}

static double sweep(const struct job *job, const struct solver_team *team, int64_t k)
{
    real *x = solver_team_vector(team, LIVE);
    double squares = 0;
    int64_t first, end;

    (void)job;
    solver_team_rows(team, &first, &end);
    for (int64_t i = first; i < end; i++) {
        const real residual = sweep_row(team, k, i, x);
        squares += (double)residual * (double)residual;
    }
    return squares;
}

static int prepare(struct job *job)
{
    return solver_team_new(job, OWN_VECTORS);
}

static int run(struct job *job)
{
    struct solver_team *team = job->state;
    solver_team_begin(job, team);
    memset(solver_team_vector(team, LIVE), 0, (size_t)team->n * sizeof(real));
    solver_team_run(job, team, sweep);
    return 0;
}

VARIANT(seidel, omp_racy) = {
    .summary = "chaotic relaxation: threads update one shared x without ordering",
    .summary_ru = "хаотическая релаксация: потоки меняют общий x без порядка",
    .source = "granular",
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .unit = UNIT_MEMORY,
    .chaotic = true,
    .typical_gflops = 2,
    .prepare = prepare,
    .run = run,
    .release = solver_team_delete,
};
