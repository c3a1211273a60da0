/* Axes to cells, in a deterministic order.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PLAN_GRID_H
#define TILELAB_PLAN_GRID_H

#include "cell.h"
#include "experiment.h"
#include "grid_limits.h"

struct grid {
    struct cell *cell; /* sorted as cell_compare does */
    size_t count;
};

enum { GRID_MAX = 1000000, GRID_VALUES_MAX = 10000000 };

/* Makes the cells of an experiment. An axis that a variant ignores is 0, so cells that differ only there are one cell.
 * A BLAS library that the experiment gives several threads has cells on 1, half and all of them at each point.
 * Symbols that mean the same number on this machine are merged. The caller frees the grid with grid_free. Returns 0, or
 * 2 after a diagnostic, unless `diagnostics` is NULL (empty grid, more than GRID_MAX cells). */
int grid_expand(const struct experiment *experiment, const struct grid_limits *limits, struct grid *grid,
                FILE *diagnostics);
/* Adds the cells of `from` to *grid, which then holds each cell once, sorted. */
void grid_merge(struct grid *grid, const struct grid *from);
void grid_free(struct grid *grid);

#endif
