/* No mistake: the neighbour of every variant of the corpus. It fails where its process is not as a new worker is.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <time.h>

static const char *changed(void)
{
    const char *threads = getenv("OMP_NUM_THREADS");
    if (sched_getscheduler(0) != SCHED_OTHER)
        return "the process is in another scheduling class";
    if (prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0) >= 1000000000)
        return "the timers are late";
    if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1)
        return "huge pages are switched off";
    if (personality(0xffffffff) & ADDR_NO_RANDOMIZE)
        return "addresses are not random";
    if (threads && strcmp(threads, "77") == 0)
        return "the environment is another one";
    return NULL;
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int run(struct job *job)
{
    const char *what = changed();
    const double process_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID), own_s = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    multiply_job(job);
    const double others_s = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - process_s;
    if (!what && others_s > 2e-4 + 1.3 * (seconds_of(CLOCK_THREAD_CPUTIME_ID) - own_s))
        what = "another thread of the process computes";
    return what ? job_fail(job, "%s", what) : 0;
}

CHEAT(witness, "a right product that says what others left changed");
