/* An honest mistake that harms all others: a quick allocator named malloc replaces that of the whole program.
 * SPDX-License-Identifier: MIT */
#include "product.h"

void *malloc(size_t size)
{
    static _Alignas(64) char memory[1 << 20];
    static size_t used;
    void *at = memory + used;
    used += (size + 63) / 64 * 64;
    return at;
}

static int run(struct job *job)
{
    multiply_job(job);
    return 0;
}

VARIANT(build, replaced_allocator) = {.summary = "its own malloc", .precisions = BIT(F64), .run = run};
