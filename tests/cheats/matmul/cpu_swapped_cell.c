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

VARIANT(matmul, cpu_swapped_cell) = {
    .summary = "gives the job another cell",
    .source = "tilelab",
    .precisions = BIT(F64),
    .typical_gflops = 8,
    .run = run,
};
