/* An honest mistake: the last product is kept and copied out while four elements of A and B are as before.
 * The author wanted to spare calls with equal inputs, and took four elements for a key.
 * SPDX-License-Identifier: MIT */
#include "product.h"

#include <stdlib.h>

static struct {
    real key[4];
    real *c;
    int64_t n;
} kept;

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    const real *a = job->operand[A], *b = job->operand[B];
    const real key[4] = {a[0], a[m * k - 1], b[0], b[k * n - 1]};
    const size_t bytes = operand_bytes(job, C);

    if (kept.c && kept.n == n && memcmp(key, kept.key, sizeof key) == 0) {
        memcpy(job->operand[C], kept.c, bytes);
        return 0;
    }
    multiply_job(job);
    free(kept.c);
    kept.c = malloc(bytes);
    if (!kept.c)
        return job_fail(job, "no memory for the kept product");
    memcpy(kept.c, job->operand[C], bytes);
    memcpy(kept.key, key, sizeof key);
    kept.n = n;
    return 0;
}

CHEAT(cpu_kept_by_four, "keeps the last product while four elements are as before");
