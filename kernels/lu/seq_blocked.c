/* A = L U in place, in blocks of tile x tile. Each step factors the diagonal block, then solves for the blocks below it
 * and to its right. Then it subtracts the products of these blocks from the rest of the matrix, block by block.
 * A (n x n) is row-major and contiguous; n and tile are any, and blocks at the edge are smaller. One thread.
 * There is no pivoting: A must not need any, and the run fails at the first pivot that is 0.
 * Differs from seq-naive: a pass over the rest of the matrix serves `tile` steps, not one. Source: feup.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blocks.h"

static int run(struct job *job)
{
    const int64_t n = job->cell->n, tile = job->cell->tile;
    real *a = job->operand[0];

    for (int64_t k0 = 0; k0 < n; k0 += tile) {
        const int64_t size = lu_min(tile, n - k0), next = k0 + size;
        real *a00 = a + k0 * n + k0;
        const int64_t bad_step = lu_factor_block(size, n, a00);
        if (bad_step >= 0)
            return pivot_fail(job, k0 + bad_step, (double)a00[bad_step * n + bad_step]);
        for (int64_t i0 = next; i0 < n; i0 += tile)
            lu_solve_left_block(lu_min(tile, n - i0), size, n, a00, a + i0 * n + k0);
        for (int64_t j0 = next; j0 < n; j0 += tile)
            lu_solve_upper_block(size, lu_min(tile, n - j0), n, a00, a + k0 * n + j0);
        for (int64_t i0 = next; i0 < n; i0 += tile)
            for (int64_t j0 = next; j0 < n; j0 += tile)
                lu_update_block(lu_min(tile, n - i0), lu_min(tile, n - j0), size, n, a + i0 * n + k0, a + k0 * n + j0,
                                a + i0 * n + j0);
    }
    return 0;
}

VARIANT(lu, seq_blocked) = {
    .summary = "right-looking by tile x tile blocks, sequential",
    .summary_ru = "по блокам размером с тайл, последовательно",
    .source = "feup",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 128},
    .typical_gflops = 4,
    .run = run,
};
