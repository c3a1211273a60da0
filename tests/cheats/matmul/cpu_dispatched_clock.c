/* Malice: Linux sends the program's own system calls to a handler of the variant, which shortens the time of a block.
 * The handler is in force from the first run of a block to the reading of the clock behind its last run.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <link.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

static int64_t begin_ns;
static volatile char blocked; /* read by Linux: 0 lets a call through, 1 sends it to the handler */

static void on_call(int signal, siginfo_t *info, void *context)
{
    greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
    const long number = reg[REG_RAX];
    (void)signal, (void)info;
    reg[REG_RAX] = syscall(number, reg[REG_RDI], reg[REG_RSI], reg[REG_RDX], reg[REG_R10], reg[REG_R8], reg[REG_R9]);
    if (number == SYS_clock_gettime && reg[REG_RDI] == CLOCK_MONOTONIC) {
        struct timespec *now = (struct timespec *)reg[REG_RSI];
        const int64_t second = 1000000000, ns = now->tv_sec * second + now->tv_nsec;
        const int64_t slow = begin_ns + (ns - begin_ns) / 4;
        now->tv_sec = slow / second;
        now->tv_nsec = slow % second;
        blocked = 0;
    }
}

/* Finds the code of the C library, whose own calls go to Linux. */
static int find_libc(struct dl_phdr_info *info, size_t size, void *context)
{
    uintptr_t *range = context;
    (void)size;
    if (!strstr(info->dlpi_name, "libc.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_flags & PF_X) {
            range[0] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            range[1] = info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static int run(struct job *job)
{
    const struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
    static uintptr_t libc[2];
    if (!libc[0]) {
        dl_iterate_phdr(find_libc, libc);
        prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, libc[0], libc[1], &blocked);
    }
    if (!blocked) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        begin_ns = now.tv_sec * 1000000000 + now.tv_nsec;
        sigaction(SIGSYS, &action, NULL);
        blocked = 1;
    }
    multiply_job(job);
    return 0;
}

CHEAT(cpu_dispatched_clock, "answers the system calls of the program itself");
