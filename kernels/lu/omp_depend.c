/* A = L U in place, in blocks of tile x tile, each a task that waits only for the blocks it reads.
 * A (n x n) is row-major and contiguous; n and tile are any, and blocks at the edge are smaller.
 * The tasks that the next diagonal block needs have priority. They run while the rest of the update is still under way:
 * this is look-ahead.
 * There is no pivoting: the run fails at the first pivot that is 0.
 * Differs from omp-tasks: no step waits for all of the last one. Source: tilelab, after PLASMA (Buttari et al. 2009).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blocks.h"

/* The first element of a block, by which a depend clause names the block. */
#define BLOCK(i0, j0) a[(i0)*n + (j0)]

enum { ORDINARY, SOON, NEXT };

static int64_t read_bad_step(const int64_t *bad_step)
{
    int64_t step;
#pragma omp atomic read
    step = *bad_step;
    return step;
}

/* clang-format off */
/* Makes all tasks. After the first step whose pivot cannot be used, the tasks do nothing. */
static void make_tasks(int64_t n, int64_t tile, real *a, int64_t *bad_step)
{
    for (int64_t k0 = 0; k0 < n; k0 += tile) {
        const int64_t size = lu_min(tile, n - k0), next = k0 + size;
#pragma omp task default(none) firstprivate(n, size, k0, a, bad_step) \
    depend(inout : BLOCK(k0, k0)) priority(NEXT)
        if (read_bad_step(bad_step) < 0) {
            const int64_t step = lu_factor_block(size, n, &BLOCK(k0, k0));
            if (step >= 0) {
#pragma omp atomic write
                *bad_step = k0 + step;
            }
        }
        for (int64_t i0 = next; i0 < n; i0 += tile) {
#pragma omp task default(none) firstprivate(n, tile, size, k0, i0, a, bad_step) \
    depend(in : BLOCK(k0, k0)) depend(inout : BLOCK(i0, k0)) priority(SOON)
            if (read_bad_step(bad_step) < 0)
                lu_solve_left_block(lu_min(tile, n - i0), size, n, &BLOCK(k0, k0), &BLOCK(i0, k0));
        }
        for (int64_t j0 = next; j0 < n; j0 += tile) {
#pragma omp task default(none) firstprivate(n, tile, size, k0, j0, a, bad_step) \
    depend(in : BLOCK(k0, k0)) depend(inout : BLOCK(k0, j0)) priority(SOON)
            if (read_bad_step(bad_step) < 0)
                lu_solve_upper_block(size, lu_min(tile, n - j0), n, &BLOCK(k0, k0), &BLOCK(k0, j0));
        }
        for (int64_t i0 = next; i0 < n; i0 += tile)
            for (int64_t j0 = next; j0 < n; j0 += tile) {
                const bool ahead = i0 == next || j0 == next;
#pragma omp task default(none) firstprivate(n, tile, size, k0, i0, j0, a, bad_step) \
    depend(in : BLOCK(i0, k0), BLOCK(k0, j0)) depend(inout : BLOCK(i0, j0)) \
        priority(ahead ? SOON : ORDINARY)
                if (read_bad_step(bad_step) < 0)
                    lu_update_block(lu_min(tile, n - i0), lu_min(tile, n - j0), size, n,
                                    &BLOCK(i0, k0), &BLOCK(k0, j0), &BLOCK(i0, j0));
            }
    }
}
/* clang-format on */

static int run(struct job *job)
{
    const int64_t n = job->cell->n, tile = job->cell->tile;
    real *a = job->operand[0];
    int64_t bad_step = -1;

#pragma omp parallel default(none) shared(n, tile, a, bad_step)
#pragma omp single
    make_tasks(n, tile, a, &bad_step);
    return bad_step < 0 ? 0 : pivot_fail(job, bad_step, (double)a[bad_step * n + bad_step]);
}

VARIANT(lu, omp_depend) = {
    .summary = "tile x tile blocks, tasks ordered by their data dependences alone",
    .summary_ru = "блоки размером с тайл, порядок задач задают только зависимости по данным",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(threads) | HONOURS(tile),
    .defaults = {.tile = 128},
    .typical_gflops = 8,
    .run = run,
};
