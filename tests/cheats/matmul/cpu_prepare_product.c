/* An honest mistake: prepare() computes the product, because "only the kernel is timed"; run() copies it out.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <stdlib.h>

static int prepare(struct job *job)
{
    const struct cell *cell = job->cell;
    job->state = malloc(operand_bytes(job, C));
    if (!job->state)
        return job_fail(job, "no memory for the product");
    multiply(cell->m, cell->n, cell->k, job->operand[A], job->operand[B], job->state);
    return 0;
}

static int run(struct job *job)
{
    memcpy(job->operand[C], job->state, operand_bytes(job, C));
    return 0;
}

static void release(struct job *job)
{
    free(job->state);
}

CHEAT(cpu_prepare_product, "prepare() multiplies, run() copies", .prepare = prepare, .release = release);
