/* An honest mistake: the first run() packs B by columns, and later calls use that packed B, whatever B holds now.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <stdlib.h>

struct packed {
    int full;
    real *b;
};

static int prepare(struct job *job)
{
    struct packed *packed = calloc(1, sizeof *packed);
    job->state = packed;
    if (packed && (packed->b = malloc(operand_bytes(job, B))))
        return 0;
    free(packed);
    return job_fail(job, "no memory to pack B");
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    real *c = job->operand[C];
    struct packed *packed = job->state;

    for (int64_t j = 0; j < n && !packed->full; j++)
        for (int64_t l = 0; l < k; l++)
            packed->b[j * k + l] = b[l * n + j];
    packed->full = 1;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            real sum = 0;
            for (int64_t l = 0; l < k; l++)
                sum += a[i * k + l] * packed->b[j * k + l];
            c[i * n + j] = sum;
        }
    return 0;
}

static void release(struct job *job)
{
    struct packed *packed = job->state;
    free(packed->b);
    free(packed);
}

CHEAT(cpu_packed_once, "packs B in the first call, and uses the packed B from then on", .prepare = prepare,
      .release = release);
