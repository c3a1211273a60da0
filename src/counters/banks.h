/* An exact model of how the warps of a GPU use shared memory (32 banks of 4 bytes) and global memory (sectors of 32
 * bytes). The model needs no GPU. The method chapter of the report states its rules for loads and stores.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COUNTERS_BANKS_H
#define TILELAB_COUNTERS_BANKS_H

#include "access.h"
#include "registry.h"

enum { WARP_LANES = 32, BANKS = 32, BANK_BYTES = 4, SECTOR_BYTES = 32 };

/* Wavefronts that one warp's access to shared memory takes; 0 where no lane is active. offset[lane] is the first byte
 * that a lane touches, or INACTIVE. `width`: 4, 8 or 16 bytes a lane; offsets are multiples of it. *conflicts (may be
 * NULL) gets the wavefronts beyond one for each group of lanes that the hardware serves together. */
int banks_wavefronts(const int64_t offset[WARP_LANES], int width, enum direction direction, int *conflicts);

/* How many lanes the hardware serves together, counted from lane 0: 8, 16 or 32. */
int banks_together(const int64_t offset[WARP_LANES], int width, enum direction direction);

/* Distinct sectors of 32 bytes that one warp's access to global memory touches; 0 where no lane is active. The access
 * of one lane, being aligned to its width, lies in one sector. */
int banks_sectors(const int64_t offset[WARP_LANES]);

/* Sums over a whole launch: of one site, or of all sites of one space and direction. */
struct banks_sum {
    int64_t instructions;          /* executions by a warp with an active lane; "requests" in global memory */
    int64_t wavefronts, conflicts; /* shared memory only */
    int64_t sectors;               /* global memory only */
};

enum { BANKS_SITES_MAX = 16 };
struct banks {
    struct geometry geometry;
    int64_t shared_bytes;
    int sites;
    struct banks_sum site[BANKS_SITES_MAX]; /* in the order of the variant's list */
    struct banks_sum sum[2][2];             /* [space][direction] */
};

/* The cell of an entry with the values that `given` has for the axes of the entry; axes of others are left out. An axis
 * without a value gets the default of the variant; m and k then get n. */
struct cell banks_cell(const struct entry *entry, const struct cell *given);

/* Fills the model of a cell's launch. The model is exact, and is cheap for a grid of any size. False, with a line
 * in `why`, where the variant describes no accesses or rejects the cell. */
bool banks_model(const struct cell *cell, struct banks *banks, char *why, size_t why_size);

/* The offsets of one warp's access at a site, for pictures: of block (0, 0), pass 0 and step 0. */
void banks_offsets(const struct cell *cell, int site, int warp, int64_t offset[WARP_LANES]);

#endif
