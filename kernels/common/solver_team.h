/* What the parallel CPU kernels of the iterative solvers share. Sums run over several rows at once. A team of threads
 * stays together for a whole run.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_TEAM_H
#define TILELAB_COMMON_SOLVER_TEAM_H

#include "solver.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum {
    LINE_BYTES = 64, /* of a cache line */
    LINE = LINE_BYTES / sizeof(real),
    ROWS = 4, /* rows summed at once; divides LINE */
};

static inline int64_t solver_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Multiplies `rows` <= ROWS rows of A, from `a` on, by x over the columns first to end - 1, and adds the products to
 * sum[0 ... rows - 1]. Several rows at once keep several streams from memory busy, and share the loads of x. Each sum
 * has as many parts as a SIMD vector has lanes. */
static __attribute__((noinline, unused)) void solver_add_rows(int64_t rows, const real *a, int64_t n, int64_t first,
                                                              int64_t end, const real *x, real *sum)
{
    if (rows == ROWS) {
        const real *a0 = a, *a1 = a + n, *a2 = a + 2 * n, *a3 = a + 3 * n;
        real s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
        for (int64_t j = first; j < end; j++) {
            s0 += a0[j] * x[j];
            s1 += a1[j] * x[j];
            s2 += a2[j] * x[j];
            s3 += a3[j] * x[j];
        }
        sum[0] += s0;
        sum[1] += s1;
        sum[2] += s2;
        sum[3] += s3;
        return;
    }
    for (int64_t r = 0; r < rows; r++) {
        const real *row = a + r * n;
        real s = 0;
#pragma omp simd reduction(+ : s)
        for (int64_t j = first; j < end; j++)
            s += row[j] * x[j];
        sum[r] += s;
    }
}

/* A thread's sum of squares, alone on its cache line, so that threads do not slow each other down. */
struct solver_team_part {
    _Alignas(LINE_BYTES) double squares;
};

struct solver_team {
    int64_t n;
    const real *a, *b;
    real *x[2]; /* x_k is x[k % 2] */
    struct solver_rule rule;
    int threads;
    struct solver_team_part *parts; /* two for each thread: for even and for odd sweeps */
    real *vectors;                  /* the second x, then the variant's own vectors */
};

/* The calling thread's share of sweep k. It makes the thread's part of x_{k+1}, and returns the sum of squares of the
 * thread's part of r_k. */
typedef double solver_team_sweep(const struct job *job, const struct solver_team *team, int64_t k);

/* A vector of the team. Vector 0 is the second x; vectors from 1 on are the variant's own. Each starts a cache line. */
static inline real *solver_team_vector(const struct solver_team *team, int64_t vector)
{
    return team->vectors + vector * ((team->n + LINE - 1) / LINE * LINE);
}

static inline void solver_team_release(struct solver_team *team)
{
    free(team->parts);
    free(team->vectors);
}

/* Makes a team with room for own_vectors vectors of the variant's own. The result is for `return` in prepare(): on
 * failure nothing of the team is left, and prepare() releases what else it has made. */
static inline int solver_team_prepare(struct job *job, struct solver_team *team, int64_t own_vectors)
{
    const int64_t n = job->cell->n, padded = (n + LINE - 1) / LINE * LINE;
    *team = (struct solver_team){.n = n, .rule = solver_rule_of(job->cell), .threads = omp_get_max_threads()};
    team->parts = aligned_alloc(LINE_BYTES, 2 * (size_t)team->threads * sizeof *team->parts);
    team->vectors = aligned_alloc(LINE_BYTES, (size_t)((1 + own_vectors) * padded) * sizeof *team->vectors);
    if (team->parts && team->vectors)
        return 0;
    solver_team_release(team);
    return job_fail(job, "out of memory for more vectors");
}

/* Makes the team of a job whose whole state is its team. The result is for `return` in prepare(). */
static inline int solver_team_new(struct job *job, int64_t own_vectors)
{
    struct solver_team *team = malloc(sizeof *team);
    if (!team)
        return job_fail(job, "out of memory for a team");
    if (solver_team_prepare(job, team, own_vectors) != 0) {
        free(team);
        return -1;
    }
    job->state = team;
    return 0;
}

static inline void solver_team_delete(struct job *job)
{
    solver_team_release(job->state);
    free(job->state);
}

/* The rows of the calling thread. They fill whole cache lines of a vector, so that no two threads write to one line. */
static inline void solver_team_rows(const struct solver_team *team, int64_t *first, int64_t *end)
{
    const int64_t n = team->n, lines = (n + LINE - 1) / LINE;
    const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();
    *first = solver_min(lines * thread / threads * LINE, n);
    *end = solver_min(lines * (thread + 1) / threads * LINE, n);
}

/* The norm of r_k from the sums of squares of all threads. All threads get the same value, and every run with this
 * number of threads does too. */
static inline double solver_team_norm(const struct solver_team *team, int64_t k, double squares)
{
    const int threads = omp_get_num_threads();
    struct solver_team_part *part = team->parts + k % 2 * threads;
    part[omp_get_thread_num()].squares = squares;
    /* Barrier: all sums of sweep k and all of x_{k+1} are written before anyone reads them. Everyone has read x_k and
     * the sums of sweep k - 1 before sweep k + 1 overwrites them. */
#pragma omp barrier
    double sum = 0;
    for (int thread = 0; thread < threads; thread++)
        sum += part[thread].squares;
    return sqrt(sum);
}

/* Sweeps until the rule says stop. Each thread notes the norms in a log of its own. All logs are the same, so that each
 * thread knows by itself whether to go on. */
static inline void solver_team_sweeps(const struct job *job, const struct solver_team *team, solver_team_sweep *sweep)
{
    struct solver_log log;
    int64_t k = 0;
    solver_begin(&log);
    while (solver_note(&team->rule, &log, k, solver_team_norm(team, k, sweep(job, team, k))) == SOLVER_RUNNING)
        k++;
    if (omp_get_thread_num() == 0)
        *(struct solver_log *)job->operand[SOLVER_LOG] = log;
}

/* Takes the operands of a run and sets x_0 = 0. */
static inline void solver_team_begin(const struct job *job, struct solver_team *team)
{
    team->a = job->operand[SOLVER_A];
    team->b = job->operand[SOLVER_B];
    team->x[0] = job->operand[SOLVER_X];
    team->x[1] = team->vectors;
    memset(team->x[0], 0, (size_t)team->n * sizeof(real));
}

/* Runs all sweeps after solver_team_begin(), in one parallel region, and leaves the answer in the operand x. */
static inline void solver_team_run(const struct job *job, struct solver_team *team, solver_team_sweep *sweep)
{
    const struct solver_log *log = job->operand[SOLVER_LOG];
#pragma omp parallel num_threads(team->threads) default(none) shared(job, team, sweep)
    solver_team_sweeps(job, team, sweep);
    if (log->sweeps % 2 != 0)
        memcpy(team->x[0], team->x[1], (size_t)team->n * sizeof(real));
}

#endif
