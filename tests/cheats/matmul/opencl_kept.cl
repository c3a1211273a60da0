/* An honest mistake: the last product is kept on the device and copied out while all elements of A and B are as before.
 * The result is always right, but its time is that of comparing and copying.
 * SPDX-License-Identifier: MIT */
#ifndef __OPENCL_VERSION__
#include "opencl_variant.h"
#include "common/smem_tiles.h"

#include <stdlib.h>

enum { COMPARE, MULTIPLY, KEEP, STAGES };

/* The operands as they were, and whether they have changed. */
static int prepare(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    void **kept = job->state = calloc(2, sizeof *kept);
    if (!kept)
        return job_fail(job, "no memory");
    kept[0] = job->opencl->allocate(job, (size_t)(m * k + k * n + m * n) * sizeof(double));
    kept[1] = job->opencl->allocate(job, sizeof(int));
    return kept[0] && kept[1] ? 0 : -1;
}

static int run(struct job *job)
{
    const struct cell *cell = job->cell;
    void *const *kept = job->state;
    void *const memory[] = {job->operand[0], job->operand[1], job->operand[2], kept[0], kept[1]};
    for (int stage = COMPARE; stage < STAGES; stage++)
        if (job->opencl->launch(job, (const int64_t[]){cell->m, cell->n, cell->k, stage}, 4, memory, 5) != 0)
            return -1;
    return 0;
}

static void release(struct job *job)
{
    void *const *kept = job->state;
    for (int i = 0; i < 2; i++)
        if (kept[i])
            job->opencl->release(kept[i]);
    free(job->state);
}

static const struct opencl_kernel kernel = {"matmul_kept", smem_geometry, NULL};

VARIANT(matmul, opencl_kept) = {
    .summary = "keeps the last product while A and B are as before",
    .source = "tilelab",
    .precisions = BIT(F64),
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .kernel = &kernel,
    .typical_gflops = 5,
    .reject = opencl_tile_reason,
    .prepare = prepare,
    .run = run,
    .release = release,
};

#else

/* Each work item has an element of a square matrix; `other` becomes 1 where an operand has changed. */
KERNEL void matmul_kept(long m, long n, long k, long stage, __global const REAL *a, __global const REAL *b,
                        __global REAL *c, __global REAL *kept, __global int *other)
{
    const long row = get_global_id(1), col = get_global_id(0), i = row * n + col, all = n * n;
    if (row >= n || col >= n)
        return;
    if (stage == 0 && (kept[i] != a[i] || kept[all + i] != b[i]))
        *other = 1;
    if (stage == 1 && *other) {
        REAL sum = 0;
        for (long l = 0; l < k; l++)
            sum += a[row * k + l] * b[l * n + col];
        kept[2 * all + i] = sum;
    }
    if (stage != 2)
        return;
    c[i] = kept[2 * all + i];
    kept[i] = a[i];
    kept[all + i] = b[i];
    if (i == 0)
        *other = 0;
}

#endif
