/* Takes memory until there is none, then says so.
 * A (n x n), C (n x n), row-major and contiguous; any n.
 * One thread.
 * Must come out as out of memory; where nothing limits it, the kernel is to end it and no other.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <stdlib.h>

enum { BLOCK_BYTES = 1 << 26 };

struct block {
    struct block *before;
};

/* If there is no limit, let it be this process that the kernel ends, and no other. */
static void volunteer(void)
{
    FILE *file = fopen("/proc/self/oom_score_adj", "w");
    if (!file)
        return;
    fputs("1000", file);
    fclose(file);
}

static int run(struct job *job)
{
    struct block *last = NULL;

    volunteer();
    for (;;) {
        struct block *block = malloc(BLOCK_BYTES);
        if (!block)
            break;
        block->before = last;
        last = block;
    }
    while (last) {
        struct block *before = last->before;
        free(last);
        last = before;
    }
    return job_fail(job, "out of memory");
}

VARIANT(fault, cpu_memory) = {
    .summary = "takes memory until there is none",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .typical_gflops = 1,
    .run = run,
};
