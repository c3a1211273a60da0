/* Shapes and work that several probes have; for problem.c alone.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_PROBE_H
#define TILELAB_COMMON_PROBE_H

#include "problem.h"

static inline void probe_row(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    *rows = 1;
    *cols = cell->n;
}

static inline void probe_scalar(const struct cell *cell, int64_t *rows, int64_t *cols)
{
    (void)cell;
    *rows = *cols = 1;
}

static inline double probe_no_flops(const struct cell *cell)
{
    (void)cell;
    return 0;
}

#endif
