/* The memory accesses of a CUDA variant, from which the bank model computes conflicts and sectors.
 * SPDX-License-Identifier: MIT
 *
 * A CUDA kernel file describes its accesses here if its bank conflicts are to be computed: it fills a struct accesses
 * and names it in its variant. common/smem_tiles.h has the descriptions that tiled kernels share. The name of a header
 * that only describes accesses ends in _accesses.h: its text does not count for the hash of the kernel's source. */
#ifndef TILELAB_ACCESS_H
#define TILELAB_ACCESS_H

#include "variant.h"

enum space { SPACE_SHARED, SPACE_GLOBAL };
enum direction { DIRECTION_LOAD, DIRECTION_STORE };

struct geometry {
    int64_t blocks_x, blocks_y; /* of the grid */
    int threads_x, threads_y;   /* of a block; the threads of a warp run along x first */
    int64_t passes;             /* iterations of the kernel's outer loop */
};

/* One execution of an access by one warp. */
struct execution {
    const struct cell *cell;
    int64_t block_x, block_y; /* within the grid */
    int64_t pass;             /* iteration of the outer loop; 0 for an access outside the loop */
    int64_t step;             /* execution within the pass */
};

enum { INACTIVE = -1 };

/* One site: a load or store of the source, as the compiler made it. If the compiler widens a loop to 16 bytes,
 * the loop is a site of width 16 with a quarter of the steps. */
struct access {
    const char *name; /* "store of the B tile"; NULL ends a list */
    enum space space;
    enum direction direction;
    bool once;                                  /* outside the outer loop */
    int (*width)(const struct cell *cell);      /* bytes that a thread accesses: 4, 8 or 16 */
    int64_t (*steps)(const struct cell *cell);  /* executions in a pass; NULL: one */
    bool (*blocks)(const struct execution *at); /* blocks that execute the site; NULL: all. The answer is the same for
                                                    all blocks on one side of the diagonal block_x = block_y. */
    /* The first byte that thread (x, y) accesses; INACTIVE: the thread does not take part. In shared memory the byte
     * counts from the start of the block's memory, in global memory from the start of the operand. The offset is
     * affine in block_x, block_y and pass. Its factors are multiples of 4 and the same for all threads, except in
     * the last block, the last pass and on the diagonal. */
    int64_t (*offset)(const struct execution *at, int x, int y);
};

/* The offset of a thread at a site, in any block. */
static inline int64_t access_offset(const struct access *site, const struct execution *at, int x, int y)
{
    return !site->blocks || site->blocks(at) ? site->offset(at, x, y) : INACTIVE;
}

struct accesses {
    struct geometry (*geometry)(const struct cell *cell);
    int64_t (*shared_bytes)(const struct cell *cell); /* a block's shared memory */
    const struct access *site;                        /* ends with an access without a name */
};

#endif
