/* Processes that a variant leaves behind, under a name that a test can find.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_KERNELS_FAULT_ORPHAN_H
#define TILELAB_KERNELS_FAULT_ORPHAN_H

#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

/* Leaves a process behind that waits for ever in a session of its own. `depth`: how many parents end before. */
static void leave_behind(int depth)
{
    const pid_t child = fork();
    if (child != 0)
        return;
    setsid();
    prctl(PR_SET_NAME, "tilelab-orphan");
    if (depth > 0)
        leave_behind(depth - 1);
    while (depth == 0)
        pause();
    _exit(0);
}

#endif
