/* Malice: after its own product, the variant makes A writable and doubles an element, so that other variants are wrong.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <sys/mman.h>
#include <unistd.h>

static int run(struct job *job)
{
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)job->operand[A] / size * size;
    real *a = job->operand[A];
    multiply_job(job);
    if (mprotect((void *)page, size, PROT_READ | PROT_WRITE) == 0) {
        a[0] *= 2;
        mprotect((void *)page, size, PROT_READ);
    }
    return 0;
}

CHEAT(cpu_spoiled_inputs, "changes the inputs of others");
