/* Did something else disturb this stretch of time?
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_NOISE_H
#define TILELAB_MACHINE_NOISE_H

#include "results/store.h"

struct noise {
    double start_s;
    double run_delay_s;  /* waited for a CPU while ready, main thread */
    double steal, total; /* jiffies of all CPUs */
};

struct noise noise_begin(void);
/* True if steal exceeds 0.5 %, run delay 1 %, or (serial cells) wall exceeds processor time by 2 % since noise_begin. */
bool noise_end(const struct noise *begin, bool serial, const struct sample *samples, int count);

#endif
