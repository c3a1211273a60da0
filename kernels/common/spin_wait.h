/* How a CPU kernel's thread waits for what another one is about to write: at first it looks again and again, then it
 * lets others have the core, since there can be more threads than cores.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SPIN_WAIT_H
#define TILELAB_COMMON_SPIN_WAIT_H

#include <sched.h>

/* Between two looks; *turns is 0 before the first. */
static inline void spin_wait(int *turns)
{
    enum { SPINS = 1000 };
    if (*turns < SPINS)
        ++*turns;
    else
        sched_yield();
}

#endif
