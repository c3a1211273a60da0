/* Malice: the object defines a clock_gettime of its own, which the linker prefers to that of the C library.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((weak)) int clock_gettime(clockid_t clock, struct timespec *now)
{
    const long result = syscall(SYS_clock_gettime, clock, now);
    now->tv_sec = 0;
    now->tv_nsec /= 100;
    return (int)result;
}

static int run(struct job *job)
{
    multiply_job(job);
    return 0;
}

VARIANT(build, replaced_clock) = {.summary = "its own clock", .precisions = BIT(F64), .run = run};
