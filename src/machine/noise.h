/* Did another program disturb this stretch of time?
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MACHINE_NOISE_H
#define TILELAB_MACHINE_NOISE_H

#include <stdbool.h>

/* What the system has counted so far. A counter that the system does not tell stays 0. */
struct noise {
    double start_s;
    double run_delay_s;  /* how long the main thread was ready and waited for a core */
    double steal, total; /* jiffies of all cores: taken by the hypervisor, and all */
};

struct noise noise_begin(void);
/* Judges the time since noise_begin: true if steal exceeds 0.5 %, or the run delay 1 % of the wall time.
 * A serial cell also passes the wall time and the processor time of its samples: true if the former exceeds the latter
 * by 2 %. Cells with several threads pass 0 for both. */
bool noise_end(const struct noise *begin, double kernel_s, double cpu_s);

#endif
