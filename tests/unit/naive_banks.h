/* The bank model once more, written as plainly as possible: it compares every word with every other and visits every
 * warp.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_TESTS_NAIVE_BANKS_H
#define TILELAB_TESTS_NAIVE_BANKS_H

#include "counters/banks.h"

/* *groups gets the number of groups of lanes that are served together and have an active lane. */
int naive_wavefronts(const int64_t offset[WARP_LANES], int width, enum direction direction, int *groups);
int naive_sectors(const int64_t offset[WARP_LANES]);

/* Sums each site over all blocks, passes, steps and warps. */
void naive_launch(const struct cell *cell, struct banks_sum sum[BANKS_SITES_MAX]);

#endif
