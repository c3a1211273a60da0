/* A = L U in place, in blocks of tile x tile, with a task for each block ("functional").
 * A (n x n) is row-major and contiguous; n and tile are any, and blocks at the edge are smaller.
 * One thread factors the diagonal blocks. A group of tasks does the blocks below and to the right of each, and a loop
 * of tasks updates the rest. A step starts when the last one has ended.
 * There is no pivoting: the run fails at the first pivot that is 0.
 * GNU's OpenMP runs all tasks of a loop on the thread that makes them if they are more than 64 for each thread.
 * Differs from omp-blocked: tasks, which any free thread takes, in place of loops. Source: feup.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blocks.h"

/* Returns the first step whose pivot cannot be used, or -1. */
static int64_t factorise(int64_t n, int64_t tile, real *a)
{
    for (int64_t k0 = 0; k0 < n; k0 += tile) {
        const int64_t size = lu_min(tile, n - k0), next = k0 + size;
        real *a00 = a + k0 * n + k0;
        const int64_t step = lu_factor_block(size, n, a00);
        if (step >= 0)
            return k0 + step;
#pragma omp taskgroup
        {
            for (int64_t i0 = next; i0 < n; i0 += tile) {
#pragma omp task default(none) firstprivate(n, tile, size, k0, i0, a, a00)
                lu_solve_left_block(lu_min(tile, n - i0), size, n, a00, a + i0 * n + k0);
            }
            for (int64_t j0 = next; j0 < n; j0 += tile) {
#pragma omp task default(none) firstprivate(n, tile, size, k0, j0, a, a00)
                lu_solve_upper_block(size, lu_min(tile, n - j0), n, a00, a + k0 * n + j0);
            }
        } /* Wait for the group: its blocks are complete before the update multiplies them. */
#pragma omp taskloop collapse(2) grainsize(1) default(none) firstprivate(n, tile, size, next, k0, a)
        for (int64_t i0 = next; i0 < n; i0 += tile)
            for (int64_t j0 = next; j0 < n; j0 += tile)
                lu_update_block(lu_min(tile, n - i0), lu_min(tile, n - j0), size, n, a + i0 * n + k0, a + k0 * n + j0,
                                a + i0 * n + j0);
        /* The loop waits for its tasks: the next diagonal block is up to date before it is factored. */
    }
    return -1;
}

static int run(struct job *job)
{
    const int64_t n = job->cell->n, tile = job->cell->tile;
    real *a = job->operand[0];
    int64_t bad_step;

#pragma omp parallel default(none) shared(n, tile, a, bad_step)
#pragma omp single
    bad_step = factorise(n, tile, a);
    return bad_step < 0 ? 0 : pivot_fail(job, bad_step, (double)a[bad_step * n + bad_step]);
}

VARIANT(lu, omp_tasks) = {
    .summary = "tile x tile blocks, a task for each block, a barrier after each step",
    .summary_ru = "блоки размером с тайл, задача на блок, барьер после каждого шага",
    .source = "feup",
    .precisions = FLOATS,
    .axes = HONOURS(threads) | HONOURS(tile),
    .defaults = {.tile = 128},
    .typical_gflops = 8,
    .run = run,
};
