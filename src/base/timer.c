/* Whether times are simulated, and how long to wait.
 * SPDX-License-Identifier: MIT */
#include "timer.h"

#include "number.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

double timer_call_s(void)
{
    struct timespec now = {0};
#if defined(__x86_64__)
    long failed;
    __asm__ volatile("syscall"
                     : "=a"(failed)
                     : "0"((long)SYS_clock_gettime), "D"((long)CLOCK_MONOTONIC), "S"(&now)
                     : "rcx", "r11", "memory");
    (void)failed;
#else
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double timer_children_s(void)
{
    struct rusage used = {0};
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

bool timer_is_fake(void)
{
    static int fake = -1;
    if (fake < 0)
        fake = getenv("TILELAB_FAKE_TIMER") != NULL;
    return fake;
}

double timer_limit_s(double usual_s)
{
    const char *text = getenv("TILELAB_TIMEOUT_S");
    double limit_s;
    return text && number_read(text, strlen(text), &limit_s) && limit_s > 0 ? limit_s : usual_s;
}
