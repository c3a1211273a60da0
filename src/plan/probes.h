/* The probes that accompany an experiment: cells that measure the ceilings for its other cells.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_PROBES_H
#define TILELAB_PLAN_PROBES_H

#include "grid.h"

/* Appends probes to the grid, for each precision. For CPU cells: fma for every isa and number of threads, copy and read
 * for every number of threads. For GPU cells: fma, copy and read, and fma on tensor cores where a cell may use them. A
 * cell that the grid already holds is not added, and a probe gets no probes. Returns 0 or ENOMEM. */
int probes_append(struct grid *grid);

#endif
