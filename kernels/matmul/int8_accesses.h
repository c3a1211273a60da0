/* Where cuda-int8 reads and writes. For the host part of the kernel file.
 * SPDX-License-Identifier: MIT
 *
 * A lane stores eight neighbouring elements of a row of C. The compiler takes the first four apart. */
#ifndef TILELAB_MATMUL_INT8_ACCESSES_H
#define TILELAB_MATMUL_INT8_ACCESSES_H

#include "common/product_accesses.h"

enum {
    INT8_BM = 64,
    INT8_BN = 64,
    INT8_BK = 32,
    INT8_THREADS = 128,
    WARP = 32,
    INT8_WM = 32,
    INT8_WN = 32,
    INT8_STAGES = 3
};

static struct geometry int8_geometry(const struct cell *cell)
{
    return (struct geometry){.blocks_x = product_count(cell->n, INT8_BN),
                             .blocks_y = product_count(cell->m, INT8_BM),
                             .threads_x = INT8_THREADS,
                             .threads_y = 1,
                             .passes = product_count(cell->k, INT8_BK)};
}

static int64_t int8_shared_bytes(const struct cell *cell)
{
    (void)cell;
    return INT8_STAGES * (INT8_BM + INT8_BN) * INT8_BK * 4;
}

static int64_t int8_copies(const struct cell *cell)
{
    return product_copies(cell, INT8_BM * INT8_BK, INT8_THREADS);
}

static int64_t int8_copy_a(const struct execution *at, int x, int y)
{
    (void)y;
    return product_copy_offset(at, x, INT8_THREADS,
                               (struct product_copied){at->block_y * INT8_BM, at->pass * INT8_BK, INT8_BM, INT8_BK},
                               at->cell->m, at->cell->k);
}

static int64_t int8_copy_b(const struct execution *at, int x, int y)
{
    (void)y;
    return product_copy_offset(at, x, INT8_THREADS,
                               (struct product_copied){at->pass * INT8_BK, at->block_x * INT8_BN, INT8_BK, INT8_BN},
                               at->cell->k, at->cell->n);
}

static int64_t int8_warp_m(int thread)
{
    return thread / WARP % 2 * INT8_WM;
}

static int64_t int8_warp_n(int thread)
{
    return thread / WARP / 2 * INT8_WN;
}

static int64_t int8_reads(const struct cell *cell)
{
    (void)cell;
    return 8;
}

static int64_t int8_read_a(const struct execution *at, int x, int y)
{
    const int64_t i = at->step / 4, part = at->step % 4;
    const int64_t row = int8_warp_m(x) + i * 16 + part % 2 * 8 + x % WARP / 4, k = part / 2 * 16 + x % 4 * 4;
    (void)y;
    return (row * INT8_BK + (k ^ row % 2 * 16)) * 4;
}

static int64_t int8_read_b(const struct execution *at, int x, int y)
{
    const int64_t k = at->step / 4 * 16 + x % 4 * 4 + at->step % 4, col = int8_warp_n(x) + x % WARP / 4 * 4;
    (void)y;
    return (INT8_BM * INT8_BK + k * INT8_BN + (col ^ k / 4 % 4 * 8)) * 4;
}

static int64_t int8_stored(const struct execution *at, int thread, int64_t i, int64_t of)
{
    return product_global(at->cell, at->cell->m, at->cell->n,
                          at->block_y * INT8_BM + int8_warp_m(thread) + i * 8 + thread % WARP / 4,
                          at->block_x * INT8_BN + int8_warp_n(thread) + thread % 4 * 8 + of);
}

static int64_t int8_stores(const struct cell *cell)
{
    return product_wide(cell) ? 4 : 4 * 8;
}

static int64_t int8_store(const struct execution *at, int x, int y)
{
    (void)y;
    return product_wide(at->cell) ? int8_stored(at, x, at->step, 4) : int8_stored(at, x, at->step / 8, at->step % 8);
}

static int64_t int8_first_stores(const struct cell *cell)
{
    return product_wide(cell) ? 4 * 4 : 0;
}

static int64_t int8_first_store(const struct execution *at, int x, int y)
{
    (void)y;
    return int8_stored(at, x, at->step / 4, at->step % 4);
}

static const struct access int8_sites[] = {
    {"copy of A", SPACE_GLOBAL, DIRECTION_LOAD, .width = product_copy_width, .steps = int8_copies,
     .offset = int8_copy_a},
    {"copy of B", SPACE_GLOBAL, DIRECTION_LOAD, .width = product_copy_width, .steps = int8_copies,
     .offset = int8_copy_b},
    {"read of the tile of A", SPACE_SHARED, DIRECTION_LOAD, .width = product_vector_width, .steps = int8_reads,
     .offset = int8_read_a},
    {"read of the tile of B", SPACE_SHARED, DIRECTION_LOAD, .width = product_vector_width, .steps = int8_reads,
     .offset = int8_read_b},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = product_copy_width, .steps = int8_stores,
     .offset = int8_store},
    {"store of the first four columns", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = product_element_width,
     .steps = int8_first_stores, .offset = int8_first_store},
    {0},
};

static const struct accesses int8_accesses = {int8_geometry, int8_shared_bytes, int8_sites};

#endif
