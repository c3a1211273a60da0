/* Whether a run follows a pause: nothing but the next run of a block comes so soon.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_CHEATS_PAUSE_H
#define TILELAB_TESTS_CHEATS_PAUSE_H

#include "product.h"

#include <time.h>

static double pause_from_s;

static inline double pause_now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void pause_begin(void)
{
    pause_from_s = pause_now_s();
}

static inline int pause_was(void)
{
    const double least_s = 5e-6;
    return pause_now_s() - pause_from_s > least_s;
}

#endif
