/* How often a run of the probe `read` reads its array. A short array is read many times, so that the run measures the
 * rate of the cache and not the time to start.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_READ_PASSES_H
#define TILELAB_READ_PASSES_H

#include "variant.h"

static inline int64_t read_passes(const struct cell *cell)
{
    const int64_t elements = INT64_C(1) << 21; /* few enough for f32 to sum them exactly */
    return cell->n < elements ? elements / cell->n : 1;
}

#endif
