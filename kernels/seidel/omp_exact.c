/* x of A x = b by Gauss-Seidel or successive over-relaxation, in the order of rows: the same iterates as in seq.
 * A (n x n) is diagonally dominant and row-major; n is any. The threads take blocks of `tile` rows in turn. A thread
 * first sums its block's products right of the diagonal, which need nothing new. Then it sums the products left of the
 * diagonal as soon as blocks above are done. Only the last `tile` columns and the diagonal square wait for the block
 * just above. A sweep reads A once and has one barrier (common/solver_team.h).
 * Differs from omp-racy: the order of rows. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "row.h"
#include "common/solver_team.h"
#include "common/spin_wait.h"

#include <stdatomic.h>

/* Vectors of the team, with an element for each row. REST: b - L x_k (see row.h). LOWER: L x_{k+1}, as far as it is
 * summed. UPPER: U x_k. */
enum { REST = 1, LOWER, UPPER, OWN_VECTORS = UPPER };

struct work {
    /* The number of blocks done in all sweeps together. All threads wait for it: it has its own cache line. */
    _Alignas(LINE_BYTES) _Atomic int64_t done;
    _Alignas(LINE_BYTES) struct solver_team team;
    int64_t tile, blocks;
};

/* A block of rows in one sweep. */
struct block {
    const struct solver_team *team;
    int64_t first, end; /* rows */
    const real *now;
    real *next;
};

/* Waits until more than `count` blocks are done. Returns how many are done; the caller may read their x. */
static int64_t wait_for_more(struct work *work, int64_t count)
{
    int64_t done;
    int turns = 0;
    while ((done = atomic_load_explicit(&work->done, memory_order_acquire)) <= count)
        spin_wait(&turns);
    return done;
}

static void sum_upper(const struct block *block)
{
    const struct solver_team *team = block->team;
    const int64_t n = team->n;
    real *upper = solver_team_vector(team, UPPER);
    memset(upper + block->first, 0, (size_t)(block->end - block->first) * sizeof *upper);
    for (int64_t i = block->first; i < block->end; i += ROWS) {
        const int64_t rows = solver_min(ROWS, block->end - i);
        solver_add_rows(rows, team->a + i * n, n, i + rows, n, block->now, upper + i);
    }
}

static void sum_lower(const struct block *block, int64_t first_col, int64_t end_col)
{
    const struct solver_team *team = block->team;
    const int64_t n = team->n;
    real *lower = solver_team_vector(team, LOWER);
    for (int64_t i = block->first; i < block->end; i += ROWS)
        solver_add_rows(solver_min(ROWS, block->end - i), team->a + i * n, n, first_col, end_col, block->next,
                        lower + i);
}

/* Solves the block's diagonal square, a few rows at a time, in order. Returns the sum of squares of the residuals. */
static double solve_square(const struct block *block)
{
    const struct solver_team *team = block->team;
    const int64_t n = team->n;
    const real *upper = solver_team_vector(team, UPPER), omega = (real)team->rule.omega;
    real *lower = solver_team_vector(team, LOWER), *rest = solver_team_vector(team, REST);
    double squares = 0;

    for (int64_t i0 = block->first; i0 < block->end; i0 += ROWS) {
        const int64_t end = solver_min(i0 + ROWS, block->end);
        solver_add_rows(end - i0, team->a + i0 * n, n, block->first, i0, block->next, lower + i0);
        for (int64_t i = i0; i < end; i++) {
            const real *a = team->a + i * n;
            struct seidel_row row = {lower[i], upper[i], a[i], team->b[i], block->now[i]};
            for (int64_t j = i0; j < i; j++)
                row.lower += a[j] * block->next[j];
            for (int64_t j = i + 1; j < end; j++)
                row.upper += a[j] * block->now[j];
            const real residual = seidel_finish_row(&row, omega, &rest[i], &block->next[i]);
            squares += (double)residual * (double)residual;
        }
    }
    return squares;
}

static double sweep(const struct job *job, const struct solver_team *team, int64_t k)
{
    struct work *work = job->state;
    const int64_t tile = work->tile, before = k * work->blocks;
    real *lower = solver_team_vector(team, LOWER);
    double squares = 0;

    for (int64_t i = omp_get_thread_num(); i < work->blocks; i += omp_get_num_threads()) {
        const int64_t first = i * tile, end = solver_min(first + tile, team->n);
        const struct block block = {team, first, end, team->x[k % 2], team->x[(k + 1) % 2]};
        sum_upper(&block);
        memset(lower + first, 0, (size_t)(end - first) * sizeof *lower);
        for (int64_t summed = 0; summed < i;) {
            const int64_t ready = wait_for_more(work, before + summed) - before;
            sum_lower(&block, summed * tile, ready * tile);
            summed = ready;
        }
        squares += solve_square(&block);
        /* All blocks above are done, so that no other thread writes this counter now. */
        atomic_store_explicit(&work->done, before + i + 1, memory_order_release);
    }
    return squares;
}

static int prepare(struct job *job)
{
    const int64_t n = job->cell->n;
    struct work *work = aligned_alloc(LINE_BYTES, sizeof *work);
    if (!work)
        return job_fail(job, "out of memory for a team");
    if (solver_team_prepare(job, &work->team, OWN_VECTORS) != 0) {
        free(work);
        return -1;
    }
    work->tile = solver_min(job->cell->tile, n);
    work->blocks = (n + work->tile - 1) / work->tile;
    job->state = work;
    return 0;
}

static int run(struct job *job)
{
    struct work *work = job->state;
    struct solver_team *team = &work->team;
    solver_team_begin(job, team);
    memcpy(solver_team_vector(team, REST), team->b, (size_t)team->n * sizeof(real));
    atomic_init(&work->done, 0);
    solver_team_run(job, team, sweep);
    return 0;
}

static void release(struct job *job)
{
    struct work *work = job->state;
    solver_team_release(&work->team);
    free(work);
}

VARIANT(seidel, omp_exact) = {
    .summary = "row blocks solved in order, off-diagonal products summed in parallel",
    .summary_ru = "блоки строк решаются по порядку, произведения вне диагонали суммируются параллельно",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(threads) | HONOURS(tile),
    .defaults = {.tile = 64},
    .unit = UNIT_MEMORY,
    .typical_gflops = 4,
    .prepare = prepare,
    .run = run,
    .release = release,
};
