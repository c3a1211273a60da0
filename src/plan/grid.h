/* Axes to cells, in a deterministic order.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_GRID_H
#define TILELAB_PLAN_GRID_H

#include "experiment.h"
#include "grid_limits.h"

struct grid {
    struct cell *cell; /* by problem, precision, m, n, k ascending (a point), then ladder order, then the rest */
    size_t count;
};

enum { GRID_MAX = 10000000 };

/* Expands an experiment. An axis that a variant ignores is 0 in its cells, which are then one; symbols that coincide
 * are merged. Returns 0, or 2 after a diagnostic (empty grid, more than GRID_MAX cells, out of memory). */
int grid_expand(const struct experiment *experiment, const struct grid_limits *limits, struct grid *grid,
                FILE *diagnostics);
void grid_free(struct grid *grid);

#endif
