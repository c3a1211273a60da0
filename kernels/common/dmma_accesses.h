/* Where products in f64 on tensor cores read and write: the memory accesses of dmma.cuh. For the host part of a kernel
 * file.
 * SPDX-License-Identifier: MIT
 *
 * The compiler takes the first pair of columns of a row apart, where it could store 16 bytes. */
#ifndef TILELAB_COMMON_DMMA_ACCESSES_H
#define TILELAB_COMMON_DMMA_ACCESSES_H

#include "product_accesses.h"

enum { DMMA_BK = 16, DMMA_A_ROW = DMMA_BK + 4, WARP = 32, DMMA_WARPS_N = 2, DMMA_STAGES = 4 };
enum { DMMA_FRAGMENT_M = 16, DMMA_FRAGMENT_N = 8, DMMA_FRAGMENT_K = 8 };

/* The tile of C that a block owns, and the warps of the block along m. */
struct dmma_shape {
    int bm, bn, warps_m;
};

static inline bool dmma_symmetric(const struct cell *cell)
{
    return cell->m == 0;
}

static inline struct dmma_shape dmma_shape_of(const struct cell *cell)
{
    enum { ENOUGH = 256 };
    static const struct dmma_shape small = {64, 64, 2}, wide = {64, 128, 2};
    if (dmma_symmetric(cell))
        return small;
    return product_count(cell->m, wide.bm) * product_count(cell->n, wide.bn) < ENOUGH ? small : wide;
}

static inline int dmma_threads(const struct cell *cell)
{
    return dmma_shape_of(cell).warps_m * DMMA_WARPS_N * WARP;
}

static inline struct geometry dmma_geometry(const struct cell *cell)
{
    const struct dmma_shape shape = dmma_shape_of(cell);
    return (struct geometry){.blocks_x = product_count(cell->n, shape.bn),
                             .blocks_y = product_count(product_rows(cell), shape.bm),
                             .threads_x = dmma_threads(cell),
                             .threads_y = 1,
                             .passes = product_count(cell->k, DMMA_BK)};
}

/* A symmetric product has blocks on and below the diagonal only. */
static inline bool dmma_blocks(const struct execution *at)
{
    return !dmma_symmetric(at->cell) || at->block_x <= at->block_y;
}

static inline int64_t dmma_b_tile(const struct cell *cell)
{
    return dmma_shape_of(cell).bm * DMMA_A_ROW;
}

static inline int64_t dmma_b_row(const struct cell *cell)
{
    return dmma_symmetric(cell) ? DMMA_A_ROW : dmma_shape_of(cell).bn + 4;
}

static inline int64_t dmma_shared_bytes(const struct cell *cell)
{
    const int64_t b_rows = dmma_symmetric(cell) ? dmma_shape_of(cell).bn : DMMA_BK;
    return DMMA_STAGES * (dmma_b_tile(cell) + b_rows * dmma_b_row(cell)) * 8;
}

/* Fragments of a warp along m and along n. */
static inline int64_t dmma_fragments_m(const struct cell *cell)
{
    return dmma_shape_of(cell).bm / dmma_shape_of(cell).warps_m / DMMA_FRAGMENT_M;
}

static inline int64_t dmma_fragments_n(const struct cell *cell)
{
    return dmma_shape_of(cell).bn / DMMA_WARPS_N / DMMA_FRAGMENT_N;
}

/* The first row and the first column of a warp within the tile of C. */
static inline int64_t dmma_warp_m(const struct cell *cell, int thread)
{
    const struct dmma_shape shape = dmma_shape_of(cell);
    return thread / WARP % shape.warps_m * (shape.bm / shape.warps_m);
}

static inline int64_t dmma_warp_n(const struct cell *cell, int thread)
{
    const struct dmma_shape shape = dmma_shape_of(cell);
    return thread / WARP / shape.warps_m * (shape.bn / DMMA_WARPS_N);
}

/* --- Copies --- */

static inline int64_t dmma_copies_a(const struct cell *cell)
{
    return product_copies(cell, dmma_shape_of(cell).bm * DMMA_BK, dmma_threads(cell));
}

static inline int64_t dmma_copies_b(const struct cell *cell)
{
    return product_copies(cell, dmma_shape_of(cell).bn * DMMA_BK, dmma_threads(cell));
}

static inline int64_t dmma_copy_a(const struct execution *at, int x, int y)
{
    const int64_t m = dmma_shape_of(at->cell).bm;
    (void)y;
    return product_copy_offset(at, x, dmma_threads(at->cell),
                               (struct product_copied){at->block_y * m, at->pass * DMMA_BK, m, DMMA_BK},
                               product_rows(at->cell), at->cell->k);
}

static inline int64_t dmma_copy_b(const struct execution *at, int x, int y)
{
    const int64_t n = dmma_shape_of(at->cell).bn, first_k = at->pass * DMMA_BK, first_n = at->block_x * n;
    (void)y;
    if (dmma_symmetric(at->cell))
        return product_copy_offset(at, x, dmma_threads(at->cell), (struct product_copied){first_n, first_k, n, DMMA_BK},
                                   at->cell->n, at->cell->k);
    return product_copy_offset(at, x, dmma_threads(at->cell), (struct product_copied){first_k, first_n, DMMA_BK, n},
                               at->cell->k, at->cell->n);
}

/* --- Reads of fragments: lane 4 g + t reads elements of row g or column g --- */

enum { DMMA_READS_A = 4, DMMA_READS_B = 2 }; /* of a fragment */

static inline int64_t dmma_first_reads_a(const struct cell *cell)
{
    (void)cell;
    return DMMA_READS_A;
}

static inline int64_t dmma_reads_a(const struct cell *cell)
{
    return DMMA_BK / DMMA_FRAGMENT_K * dmma_fragments_m(cell) * DMMA_READS_A;
}

static inline int64_t dmma_read_a(const struct execution *at, int x, int y)
{
    const int64_t unit = at->step / DMMA_READS_A, h = at->step % DMMA_READS_A, g = x % WARP / 4, t = x % 4;
    const int64_t part = unit / dmma_fragments_m(at->cell), i = unit % dmma_fragments_m(at->cell);
    (void)y;
    return ((dmma_warp_m(at->cell, x) + i * DMMA_FRAGMENT_M + h % 2 * 8 + g) * DMMA_A_ROW + part * DMMA_FRAGMENT_K +
            h / 2 * 4 + t) *
           8;
}

static inline int64_t dmma_first_reads_b(const struct cell *cell)
{
    return dmma_fragments_n(cell) * DMMA_READS_B;
}

static inline int64_t dmma_reads_b(const struct cell *cell)
{
    return DMMA_BK / DMMA_FRAGMENT_K * dmma_first_reads_b(cell);
}

static inline int64_t dmma_read_b(const struct execution *at, int x, int y)
{
    const int64_t unit = at->step / DMMA_READS_B, h = at->step % DMMA_READS_B, g = x % WARP / 4, t = x % 4;
    const int64_t part = unit / dmma_fragments_n(at->cell), j = unit % dmma_fragments_n(at->cell);
    const int64_t k = part * DMMA_FRAGMENT_K + h * 4 + t;
    const int64_t col = dmma_warp_n(at->cell, x) + j * DMMA_FRAGMENT_N + g;
    (void)y;
    return (dmma_b_tile(at->cell) +
            (dmma_symmetric(at->cell) ? col * DMMA_A_ROW + k : k * dmma_b_row(at->cell) + col)) *
           8;
}

/* --- Stores --- */

/* The sums of a thread lie in pairs of neighbouring columns: pair j of a row i. */
static inline int64_t dmma_stored(const struct execution *at, int thread, int64_t i, int64_t j, int64_t of, bool mirror)
{
    const struct dmma_shape shape = dmma_shape_of(at->cell);
    const int64_t row = at->block_y * shape.bm + dmma_warp_m(at->cell, thread) + i * 8 + thread % WARP / 4;
    const int64_t col =
        at->block_x * shape.bn + dmma_warp_n(at->cell, thread) + j * DMMA_FRAGMENT_N + thread % 4 * 2 + of;
    if (dmma_symmetric(at->cell) && col > row)
        return INACTIVE;
    if (row >= product_rows(at->cell) || col >= at->cell->n)
        return INACTIVE;
    return ((mirror ? col : row) * at->cell->n + (mirror ? row : col)) * 8;
}

/* Blocks that store pairs: if copies are wide, all of them but those on the diagonal of a symmetric C. */
static inline bool dmma_pairs(const struct execution *at)
{
    return product_wide(at->cell) && (!dmma_symmetric(at->cell) || at->block_x < at->block_y);
}

/* Blocks that store elements one by one. */
static inline bool dmma_singles(const struct execution *at)
{
    return dmma_blocks(at) && !dmma_pairs(at);
}

static inline int64_t dmma_store_rows(const struct cell *cell)
{
    return 2 * dmma_fragments_m(cell);
}

static inline int64_t dmma_single_stores(const struct cell *cell)
{
    return product_wide(cell) && !dmma_symmetric(cell) ? 0 : dmma_store_rows(cell) * 2 * dmma_fragments_n(cell);
}

static inline int64_t dmma_single_store(const struct execution *at, int x, int y)
{
    const int64_t elements = 2 * dmma_fragments_n(at->cell);
    (void)y;
    return dmma_stored(at, x, at->step / elements, at->step % elements / 2, at->step % 2, false);
}

static inline int64_t dmma_single_mirrored_stores(const struct cell *cell)
{
    return dmma_symmetric(cell) ? dmma_single_stores(cell) : 0;
}

static inline int64_t dmma_single_mirrored_store(const struct execution *at, int x, int y)
{
    const int64_t elements = 2 * dmma_fragments_n(at->cell);
    (void)y;
    return dmma_stored(at, x, at->step / elements, at->step % elements / 2, at->step % 2, true);
}

/* Pairs of a row that are stored at once: all but the first one. */
static inline int64_t dmma_pairs_of_row(const struct cell *cell)
{
    return dmma_fragments_n(cell) - 1;
}

static inline int64_t dmma_pair_stores(const struct cell *cell)
{
    return product_wide(cell) ? dmma_store_rows(cell) * dmma_pairs_of_row(cell) : 0;
}

static inline int64_t dmma_pair_store(const struct execution *at, int x, int y)
{
    const int64_t pairs = dmma_pairs_of_row(at->cell);
    (void)y;
    return dmma_stored(at, x, at->step / pairs, 1 + at->step % pairs, 0, false);
}

static inline int64_t dmma_first_stores(const struct cell *cell)
{
    return product_wide(cell) ? 2 * dmma_store_rows(cell) : 0;
}

static inline int64_t dmma_first_store(const struct execution *at, int x, int y)
{
    (void)y;
    return dmma_stored(at, x, at->step / 2, 0, at->step % 2, false);
}

static inline int64_t dmma_pair_mirrored_stores(const struct cell *cell)
{
    return dmma_symmetric(cell) && product_wide(cell) ? dmma_store_rows(cell) * dmma_fragments_n(cell) : 0;
}

/* Lanes of neighbouring rows have exchanged an element: each stores both elements of one of the two columns. */
static inline int64_t dmma_pair_mirrored_store(const struct execution *at, int x, int y)
{
    const int64_t pairs = dmma_fragments_n(at->cell), odd = x % WARP / 4 % 2;
    const int64_t offset = dmma_stored(at, x, at->step / pairs, at->step % pairs, odd, true);
    (void)y;
    return offset == INACTIVE ? INACTIVE : offset - odd * 8;
}

static const struct access dmma_sites[] = {
    {"copy of A", SPACE_GLOBAL, DIRECTION_LOAD, .width = product_copy_width, .steps = dmma_copies_a,
     .blocks = dmma_blocks, .offset = dmma_copy_a},
    {"copy of B", SPACE_GLOBAL, DIRECTION_LOAD, .width = product_copy_width, .steps = dmma_copies_b,
     .blocks = dmma_blocks, .offset = dmma_copy_b},
    {"first read of the tile of A", SPACE_SHARED, DIRECTION_LOAD, .once = true, .width = product_element_width,
     .steps = dmma_first_reads_a, .blocks = dmma_blocks, .offset = dmma_read_a},
    {"first read of the tile of B", SPACE_SHARED, DIRECTION_LOAD, .once = true, .width = product_element_width,
     .steps = dmma_first_reads_b, .blocks = dmma_blocks, .offset = dmma_read_b},
    {"read of the tile of A", SPACE_SHARED, DIRECTION_LOAD, .width = product_element_width, .steps = dmma_reads_a,
     .blocks = dmma_blocks, .offset = dmma_read_a},
    {"read of the tile of B", SPACE_SHARED, DIRECTION_LOAD, .width = product_element_width, .steps = dmma_reads_b,
     .blocks = dmma_blocks, .offset = dmma_read_b},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = product_vector_width,
     .steps = dmma_pair_stores, .blocks = dmma_pairs, .offset = dmma_pair_store},
    {"store of the first columns of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = product_element_width,
     .steps = dmma_first_stores, .blocks = dmma_pairs, .offset = dmma_first_store},
    {"store of the mirror image", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = product_vector_width,
     .steps = dmma_pair_mirrored_stores, .blocks = dmma_pairs, .offset = dmma_pair_mirrored_store},
    {"store of elements of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = product_element_width,
     .steps = dmma_single_stores, .blocks = dmma_singles, .offset = dmma_single_store},
    {"store of elements of the mirror image", SPACE_GLOBAL, DIRECTION_STORE, .once = true,
     .width = product_element_width, .steps = dmma_single_mirrored_stores, .blocks = dmma_singles,
     .offset = dmma_single_mirrored_store},
    {0},
};

static const struct accesses dmma_accesses = {dmma_geometry, dmma_shared_bytes, dmma_sites};

#endif
