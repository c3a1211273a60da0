/* Allocates memory until there is none, then reports this.
 * A (n x n) and C (n x n) are row-major and contiguous; any n. One thread.
 * The runner must report that memory ran out. Without a limit the kernel must end this process and no other.
 * Source: tilelab (the runner's own tests).
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include <stdlib.h>

enum { BLOCK_BYTES = 1 << 26 };

struct block {
    struct block *before;
};

/* Makes the kernel choose this process, and no other, if memory has no limit. */
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
