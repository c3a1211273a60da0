/* The probes that accompany an experiment: measured ceilings for the cells it holds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_PROBES_H
#define TILELAB_PLAN_PROBES_H

#include "grid.h"

/* Appends to the grid, for each precision: fma for every (isa, threads) of its CPU cells, copy and read for every thread
 * count, and all three on the GPU if it has GPU cells, fma on its tensor cores too where cells may use them. Adds
 * nothing that the grid holds, and nothing for probes that it holds. Returns 0 or ENOMEM. */
int probes_append(struct grid *grid);

#endif
