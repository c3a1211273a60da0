/* An exact model of how a GPU's warps meet shared memory (32 banks of 4 bytes) and global memory (sectors of 32 bytes).
 * Needs no GPU. The rule for loads and stores: the method chapter of the report.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_BANKS_H
#define TILELAB_COUNTERS_BANKS_H

#include "access.h"
#include "registry.h"

enum { LANES = 32, BANKS = 32, BANK_BYTES = 4, SECTOR_BYTES = 32 };

/* Wavefronts that one warp's access to shared memory takes: offset[lane] is the first byte, or INACTIVE; width 4, 8 or
 * 16 bytes, aligned to itself. 0 if no lane is active. `conflicts` (or NULL): those beyond one for each group of lanes
 * that the hardware serves together. */
int banks_wavefronts(const int64_t offset[LANES], int width, enum direction direction, int *conflicts);

/* How many of the first lanes form the first group that is served together: 8, 16 or 32. */
int banks_together(const int64_t offset[LANES], int width, enum direction direction);

/* Distinct 32-byte sectors that one warp's access to global memory touches; 0 if no lane is active. An access aligned
 * to its width lies in one. */
int banks_sectors(const int64_t offset[LANES]);

/* Sums over a whole launch: of one site, or of all sites of one space and direction. An instruction is one warp's,
 * counted where at least one lane is active (a "request" in global memory). */
struct banks_sum {
    int64_t instructions, wavefronts, conflicts, sectors; /* the last: global only; the two before: shared only */
};

enum { BANKS_SITES_MAX = 16 };
struct banks {
    struct geometry geometry;
    int64_t shared_bytes;
    int sites;
    struct banks_sum site[BANKS_SITES_MAX]; /* in the order of the variant's list */
    struct banks_sum sum[2][2];             /* [space][direction] */
};

/* The model of a cell's launch: exact, and cheap whatever the grid. False with a line in `why` where the variant gives no
 * accesses, or rejects the cell. */
bool banks_model(const struct cell *cell, struct banks *banks, char *why, size_t why_size);

/* The offsets of one warp's access, for pictures: warp `warp` of block (0, 0), pass 0, step 0. */
void banks_offsets(const struct cell *cell, int site, int warp, int64_t offset[LANES]);

#endif
