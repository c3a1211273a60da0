/* The bank model once more, as slow and plain as can be: every word compared with every other, every warp visited.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_NAIVE_BANKS_H
#define TILELAB_TESTS_NAIVE_BANKS_H

#include "counters/banks.h"

/* `groups`: of lanes that are served together, where any is active. */
int naive_wavefronts(const int64_t offset[WARP_LANES], int width, enum direction direction, int *groups);
int naive_sectors(const int64_t offset[WARP_LANES]);

/* Of each site, over all blocks, passes, steps and warps. */
void naive_launch(const struct cell *cell, struct banks_sum sum[BANKS_SITES_MAX]);

#endif
