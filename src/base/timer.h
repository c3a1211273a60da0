/* Clocks, in seconds, whether times are simulated, and how long to wait.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_TIMER_H
#define TILELAB_BASE_TIMER_H

#include <stdbool.h>
#include <time.h>

static inline double timer_read(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
/* A clock that only goes forward; its zero is arbitrary. */
static inline double timer_now_s(void)
{
    return timer_read(CLOCK_MONOTONIC);
}
/* The same by a system call of its own. A variant can replace clock_gettime and the page of the kernel that it reads,
 * but not the kernel. This takes 0.1 us longer. */
double timer_call_s(void);
/* Processor time of all threads of this process. */
static inline double timer_cpu_s(void)
{
    return timer_read(CLOCK_PROCESS_CPUTIME_ID);
}
/* Processor time of the child processes that this process has waited for, with those that they waited for. */
double timer_children_s(void);

/* Whether TILELAB_FAKE_TIMER is set. Measured times then follow from a cell's key instead of a clock, so that a test
 * can compare files byte by byte. */
bool timer_is_fake(void);

/* How long to wait for a sign of life: TILELAB_TIMEOUT_S, where that is a positive number, else `usual_s`. */
double timer_limit_s(double usual_s);

#endif
