/* What the symbols of an experiment file ("all", "cores", "best") mean on one machine.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_GRID_LIMITS_H
#define TILELAB_PLAN_GRID_LIMITS_H

#include "registry.h"

struct grid_limits {
    int64_t threads_all;                /* physical cores usable: affinity mask and cgroup quota applied */
    int (*cores)(void);                 /* how many of them behave like cores; NULL: all */
    int64_t isa_best;                   /* enum isa */
    int (*devices)(enum backend_id id); /* how many there are, at least 1; NULL: one */
    int64_t sums[BACKENDS];             /* that fill the device of a backend; 0: the backend has no such number */
};

/* The limits of this machine. */
struct grid_limits grid_limits_here(void);

#endif
