/* How a thread of a CPU kernel waits for a value that another thread is about to write. The thread first spins; then it
 * yields the core at every turn, since there may be more threads than cores.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SPIN_WAIT_H
#define TILELAB_COMMON_SPIN_WAIT_H

#include <sched.h>

/* Call this between two reads of the awaited value. *turns counts the calls and starts at 0. */
static inline void spin_wait(int *turns)
{
    enum { SPINS = 1000 };
    if (*turns < SPINS)
        ++*turns;
    else
        sched_yield();
}

#endif
