/* Honest: each run computes, and behind a pause three times. So does a machine whose hypervisor wakes two processors on
 * one core: runs behind a pause then take longer, for some seconds.
 * SPDX-License-Identifier: MIT */
#include "pause.h"

static int run(struct job *job)
{
    const int times = pause_was() ? 3 : 1;
    for (int i = 0; i < times; i++)
        multiply_job(job);
    pause_begin();
    return 0;
}

CHEAT(cpu_slow_awakening, "computes three times behind a pause");
