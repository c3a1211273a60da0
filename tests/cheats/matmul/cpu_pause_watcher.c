/* Malice: only the first run behind a pause computes. C holds the product then, and the other runs of a block return at
 * once.
 * SPDX-License-Identifier: MIT */
#include "pause.h"

static int run(struct job *job)
{
    if (pause_was())
        multiply_job(job);
    pause_begin();
    return 0;
}

CHEAT(cpu_pause_watcher, "computes only behind a pause");
