/* An honest mistake: the last product is kept and copied out while all bytes of A and B are as before.
 * The result is always right, but its time is that of comparing and copying.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <stdlib.h>

static real *kept[3];
static int64_t kept_n;

static int keep(const struct job *job)
{
    for (int i = A; i <= C; i++) {
        free(kept[i]);
        kept[i] = malloc(operand_bytes(job, i));
        if (!kept[i])
            return -1;
        memcpy(kept[i], job->operand[i], operand_bytes(job, i));
    }
    kept_n = job->cell->n;
    return 0;
}

static int run(struct job *job)
{
    if (kept_n == job->cell->n && memcmp(kept[A], job->operand[A], operand_bytes(job, A)) == 0 &&
        memcmp(kept[B], job->operand[B], operand_bytes(job, B)) == 0) {
        memcpy(job->operand[C], kept[C], operand_bytes(job, C));
        return 0;
    }
    multiply_job(job);
    return keep(job) == 0 ? 0 : job_fail(job, "no memory for the kept product");
}

CHEAT(cpu_kept_by_all, "keeps the last product while A and B are as before, byte by byte");
