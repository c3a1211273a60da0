/* Malice: run() only takes the pages of C away. The first read of C raises SIGSEGV, and the handler multiplies.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

static struct job lazy;
static char *page;
static size_t bytes;

static void on_read(int signal, siginfo_t *info, void *context)
{
    const char *at = info->si_addr;
    (void)context;
    if (at < page || at >= page + bytes) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(signal, &usual, NULL);
        return;
    }
    mprotect(page, bytes, PROT_READ | PROT_WRITE);
    multiply_job(&lazy);
}

static int run(struct job *job)
{
    const struct sigaction action = {.sa_sigaction = on_read, .sa_flags = SA_SIGINFO | SA_NODEFER};
    const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)job->operand[C] / size * size;
    const uintptr_t end = ((uintptr_t)job->operand[C] + operand_bytes(job, C) + size - 1) / size * size;

    lazy = *job;
    page = (char *)begin;
    bytes = end - begin;
    sigaction(SIGSEGV, &action, NULL);
    return mprotect(page, bytes, PROT_NONE) == 0 ? 0 : job_fail(job, "the pages of C stay");
}

CHEAT(cpu_lazy_pages, "computes when somebody reads C");
