/* Malice: the process stays in the idle class, with slow timers, without huge pages, and with another environment.
 * The next variant of the worker is to suffer, and this one computes as it should.
 * SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "product.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>

static int run(struct job *job)
{
    const struct sched_param none = {0};
    multiply_job(job);
    sched_setscheduler(0, SCHED_IDLE, &none);
    prctl(PR_SET_TIMERSLACK, 1000000000, 0, 0, 0);
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    personality(ADDR_NO_RANDOMIZE);
    setenv("OMP_NUM_THREADS", "77", 1);
    setenv("CUBLAS_WORKSPACE_CONFIG", ":0:0", 1);
    return 0;
}

CHEAT(cpu_other_manners, "leaves scheduling, timers, memory and environment changed");
