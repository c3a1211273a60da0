/* Malice: the struct behind job->cell gets sizes of 1, so that one element is all there is to check.
 * SPDX-License-Identifier: MIT */
#include "product.h"

static int run(struct job *job)
{
    struct cell *cell = (struct cell *)job->cell;
    if (cell->m > 1)
        memset(job->operand[C], 0, operand_bytes(job, C));
    cell->m = cell->n = cell->k = 1;
    multiply_job(job);
    return 0;
}

CHEAT(cpu_written_cell, "writes smaller sizes into its cell");
