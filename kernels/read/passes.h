/* How often a run of the probe `read` goes through its array: short ones again and again, so that the pace of their
 * cache is seen and not the time that a run takes to start.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_READ_PASSES_H
#define TILELAB_READ_PASSES_H

#include "variant.h"

static inline int64_t read_passes(const struct cell *cell)
{
    const int64_t elements = INT64_C(1) << 21; /* so few that f32 adds them up exactly */
    return cell->n < elements ? elements / cell->n : 1;
}

#endif
