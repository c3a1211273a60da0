/* A = L U in place, in blocks of tile x tile, with a parallel loop for each kind of block ("data parallel").
 * A (n x n) is row-major and contiguous; n and tile are any, and blocks at the edge are smaller.
 * One thread does the diagonal block. The loop over the blocks below has no barrier, and that over the blocks to the
 * right is scheduled dynamically. One collapsed loop updates the rest.
 * There is no pivoting: the run fails at the first pivot that is 0.
 * Differs from seq-blocked: threads. Source: feup.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blocks.h"

/* All threads call this. *bad_step is shared: it becomes the first step whose pivot cannot be used, else -1. */
static void factorise(int64_t n, int64_t tile, real *a, int64_t *bad_step)
{
    for (int64_t k0 = 0; k0 < n; k0 += tile) {
        const int64_t size = lu_min(tile, n - k0), next = k0 + size;
        real *a00 = a + k0 * n + k0;
#pragma omp single
        {
            const int64_t step = lu_factor_block(size, n, a00);
            *bad_step = step < 0 ? -1 : k0 + step;
        } /* Barrier: the diagonal block and *bad_step are written before anyone reads them. */
        if (*bad_step >= 0)
            return;
#pragma omp for schedule(static) nowait
        for (int64_t i0 = next; i0 < n; i0 += tile)
            lu_solve_left_block(lu_min(tile, n - i0), size, n, a00, a + i0 * n + k0);
#pragma omp for schedule(dynamic)
        for (int64_t j0 = next; j0 < n; j0 += tile)
            lu_solve_upper_block(size, lu_min(tile, n - j0), n, a00, a + k0 * n + j0);
            /* Barrier: the blocks of both loops are complete before the update multiplies them. */
#pragma omp for collapse(2) schedule(static)
        for (int64_t i0 = next; i0 < n; i0 += tile)
            for (int64_t j0 = next; j0 < n; j0 += tile)
                lu_update_block(lu_min(tile, n - i0), lu_min(tile, n - j0), size, n, a + i0 * n + k0, a + k0 * n + j0,
                                a + i0 * n + j0);
        /* Barrier: the next diagonal block is up to date before a thread factors it. */
    }
}

static int run(struct job *job)
{
    const int64_t n = job->cell->n, tile = job->cell->tile;
    real *a = job->operand[0];
    int64_t bad_step = -1;

#pragma omp parallel default(none) shared(n, tile, a, bad_step)
    factorise(n, tile, a, &bad_step);
    return bad_step < 0 ? 0 : pivot_fail(job, bad_step, (double)a[bad_step * n + bad_step]);
}

VARIANT(lu, omp_blocked) = {
    .summary = "tile x tile blocks, parallel loops over the blocks in each step",
    .summary_ru = "блоки размером с тайл, на каждом шаге параллельные циклы по блокам",
    .source = "feup",
    .precisions = FLOATS,
    .axes = HONOURS(threads) | HONOURS(tile),
    .defaults = {.tile = 128},
    .typical_gflops = 8,
    .run = run,
};
