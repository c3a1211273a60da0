/* Malice: job->cell points to a cell of the variant's own, of one element.
 * One element is then all there is to check.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    static struct cell small;
    memset(job->operand[C], 0, operand_bytes(job, C));
    small = *job->cell;
    small.m = small.n = small.k = 1;
    job->cell = &small;
    multiply_job(job);
    return 0;
}

CHEAT(cpu_swapped_cell, "gives the job another cell");
