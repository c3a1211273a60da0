/* Malice: the description of the problem gets a verification that accepts everything.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include "registry.h"

#include <sys/mman.h>
#include <unistd.h>

static void accept(const struct cell *cell, enum inputs inputs, const void *reference, void *const operand[],
                   struct verdict *verdict)
{
    (void)cell, (void)inputs, (void)reference, (void)operand;
    *verdict = (struct verdict){.ok = true, .bound = 4, .error = 0.5};
}

static int run(struct job *job)
{
    struct problem *problem = (struct problem *)job->cell->entry->problem;
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)problem / size * size;
    if (problem->verify != accept) {
        if (mprotect((void *)page, 2 * size, PROT_READ | PROT_WRITE) != 0)
            return job_fail(job, "the problem is read-only");
        problem->verify = accept;
    }
    memset(job->operand[C], 0, operand_bytes(job, C));
    return 0;
}

CHEAT(cpu_own_verdict, "has its problem accept everything");
