/* Where cuda-async reads and writes. For the host part of the kernel file.
 * SPDX-License-Identifier: MIT
 *
 * The last pass of the model is the kernel's first step if k is no multiple of a step: this step is shorter. */
#ifndef TILELAB_MATMUL_ASYNC_ACCESSES_H
#define TILELAB_MATMUL_ASYNC_ACCESSES_H

#include "common/product_accesses.h"

enum { WARP = 32, ASYNC_MULTIPLIERS = 256, ASYNC_COPIERS = 128, ASYNC_WARPS_M = 2, ASYNC_TM = 8 };

/* The members of block_shape in the kernel that depend on precision and size. */
struct async_shape {
    int64_t v, bm, bn, bk, slices, warps_n, lanes_m, lanes_n, tn;
};

/* The number of multiprocessors decides between large and small blocks; the model has those of an H100 or H200. */
static bool async_small(const struct cell *cell)
{
    enum { MULTIPROCESSORS = 132, SMALL_M = 64, SMALL_N = 128, LARGE_M = 128 };
    const int64_t large_n = cell->precision == F64 ? 128 : 256;
    const int64_t large = product_count(cell->m, LARGE_M) * product_count(cell->n, large_n);
    const int64_t small = product_count(cell->m, SMALL_M) * product_count(cell->n, SMALL_N);
    return (double)(product_count(large, MULTIPROCESSORS) * LARGE_M * large_n) >
           (double)(product_count(small, MULTIPROCESSORS) * SMALL_M * SMALL_N) * 1.1;
}

static struct async_shape async_shape_of(const struct cell *cell)
{
    const int64_t size = cell_element_bytes(cell);
    const bool small = async_small(cell);
    struct async_shape shape = {.v = 16 / size, .bk = 128 / size};
    shape.bm = small ? 64 : 128;
    shape.bn = small || size == 8 ? 128 : 256;
    shape.slices = small ? 2 : 1;
    shape.warps_n = ASYNC_MULTIPLIERS / WARP / shape.slices / ASYNC_WARPS_M;
    shape.lanes_n = small ? 8 : 4;
    shape.lanes_m = WARP / shape.lanes_n;
    shape.tn = shape.bn / shape.warps_n / shape.lanes_n;
    return shape;
}

static struct geometry async_geometry(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return (struct geometry){.blocks_x = product_count(cell->n, shape.bn),
                             .blocks_y = product_count(cell->m, shape.bm),
                             .threads_x = ASYNC_MULTIPLIERS + ASYNC_COPIERS,
                             .threads_y = 1,
                             .passes = product_count(cell->k, shape.bk)};
}

/* Elements from one k to the next in the tile of A, and the size of this tile. */
static int64_t async_a_row(const struct async_shape *shape)
{
    return shape->bm + shape->v;
}

static int64_t async_a_tile(const struct async_shape *shape)
{
    return shape->bk * async_a_row(shape);
}

static int64_t async_shared_bytes(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    const int64_t stage = (async_a_tile(&shape) + shape.bk * shape.bn) * cell_element_bytes(cell);
    return 99 * 1024 / stage * stage;
}

/* --- Copies, by the last threads of a block --- */

/* The length of the first step. */
static int64_t async_part(const struct cell *cell, const struct async_shape *shape)
{
    return (cell->k - 1) % shape->bk + 1;
}

/* The first k of a whole step; INACTIVE in the pass that stands for a shorter step. */
static int64_t async_first_k(const struct execution *at, const struct async_shape *shape)
{
    const int64_t part = async_part(at->cell, shape);
    if (part == shape->bk)
        return at->pass * shape->bk;
    return at->pass < at->cell->k / shape->bk ? part + at->pass * shape->bk : INACTIVE;
}

static int64_t async_copies_a(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return shape.bm * shape.bk / ASYNC_COPIERS;
}

static int64_t async_copy_a(const struct execution *at, int x, int y)
{
    enum { THREADS_K = 8 };
    const struct async_shape shape = async_shape_of(at->cell);
    const int64_t first_k = async_first_k(at, &shape), copies_k = shape.bk / THREADS_K;
    const int thread = x - ASYNC_MULTIPLIERS;
    const int64_t row = thread / THREADS_K + at->step / copies_k * (ASYNC_COPIERS / THREADS_K);
    (void)y;
    if (thread < 0 || first_k == INACTIVE)
        return INACTIVE;
    return product_global(at->cell, at->cell->m, at->cell->k, at->block_y * shape.bm + row,
                          first_k + thread % THREADS_K + at->step % copies_k * THREADS_K);
}

/* Copies of B move 16 bytes whatever k is. */
static bool async_wide(const struct cell *cell)
{
    return cell->n % product_vector(cell) == 0;
}

static int async_wide_width(const struct cell *cell)
{
    return async_wide(cell) ? 16 : product_element_width(cell);
}

/* Elements of a row that all threads copy at a time, and their threads. */
static int64_t async_at_once(const struct cell *cell)
{
    return async_wide(cell) ? product_vector(cell) : 1;
}

static int64_t async_threads_n(const struct cell *cell, const struct async_shape *shape)
{
    const int64_t threads = shape->bn / async_at_once(cell);
    return threads < ASYNC_COPIERS ? threads : ASYNC_COPIERS;
}

static int64_t async_copies_b(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return shape.bn * shape.bk / ASYNC_COPIERS / async_at_once(cell);
}

static int64_t async_copy_b(const struct execution *at, int x, int y)
{
    const struct async_shape shape = async_shape_of(at->cell);
    const int64_t first_k = async_first_k(at, &shape), threads = async_threads_n(at->cell, &shape);
    const int64_t copies_k = shape.bk / (ASYNC_COPIERS / threads);
    const int thread = x - ASYNC_MULTIPLIERS;
    const int64_t col = (thread % threads + at->step / copies_k * threads) * async_at_once(at->cell);
    (void)y;
    if (thread < 0 || first_k == INACTIVE)
        return INACTIVE;
    return product_global(at->cell, at->cell->k, at->cell->n,
                          first_k + thread / threads + at->step % copies_k * (ASYNC_COPIERS / threads),
                          at->block_x * shape.bn + col);
}

/* The shorter step copies element by element, as many rows and columns as exist. */
static int64_t async_shorter(const struct execution *at, int x, int64_t size, int64_t first, int64_t tile, bool of_b)
{
    const struct async_shape shape = async_shape_of(at->cell);
    const int64_t part = async_part(at->cell, &shape), count = size - first < tile ? size - first : tile;
    const int64_t i = x - ASYNC_MULTIPLIERS + at->step * ASYNC_COPIERS;
    if (x < ASYNC_MULTIPLIERS || part == shape.bk || i >= count * shape.bk)
        return INACTIVE;
    const int64_t k = of_b ? i / count : i % shape.bk, place = first + (of_b ? i % count : i / shape.bk);
    return k >= part ? INACTIVE
           : of_b    ? product_global(at->cell, at->cell->k, at->cell->n, k, place)
                     : product_global(at->cell, at->cell->m, at->cell->k, place, k);
}

static int64_t async_shorter_a(const struct execution *at, int x, int y)
{
    const int64_t m = async_shape_of(at->cell).bm;
    (void)y;
    return async_shorter(at, x, at->cell->m, at->block_y * m, m, false);
}

static int64_t async_shorter_copies_b(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return shape.bn * shape.bk / ASYNC_COPIERS;
}

static int64_t async_shorter_b(const struct execution *at, int x, int y)
{
    const int64_t n = async_shape_of(at->cell).bn;
    (void)y;
    return async_shorter(at, x, at->cell->n, at->block_x * n, n, true);
}

/* --- Reads, by the other threads --- */

static int64_t async_slice(const struct async_shape *shape, int thread)
{
    return thread / (ASYNC_MULTIPLIERS / shape->slices);
}

/* The first row and the first column of a thread within the tile of C. */
static int64_t async_row(const struct async_shape *shape, int thread)
{
    const int lane = thread % WARP;
    return thread / WARP % ASYNC_WARPS_M * (shape->bm / ASYNC_WARPS_M) +
           (lane / 2 % 4 + lane / 16 % (shape->lanes_m / 4) * 4) * shape->v;
}

static int64_t async_col(const struct async_shape *shape, int thread)
{
    const int lane = thread % WARP;
    const int64_t warp = thread / WARP % (ASYNC_MULTIPLIERS / WARP / shape->slices);
    return warp / ASYNC_WARPS_M * (shape->bn / shape->warps_n) +
           (lane % 2 + lane / 8 % (shape->lanes_n / 2) * 2) * shape->v;
}

static int64_t async_first_reads_a(const struct cell *cell)
{
    return ASYNC_TM / async_shape_of(cell).v;
}

static int64_t async_reads_a(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return shape.bk / shape.slices * async_first_reads_a(cell);
}

static int64_t async_read_a(const struct execution *at, int x, int y)
{
    const struct async_shape shape = async_shape_of(at->cell);
    const int64_t vectors = async_first_reads_a(at->cell);
    const int64_t l = async_slice(&shape, x) * (shape.bk / shape.slices) + at->step / vectors;
    (void)y;
    if (x >= ASYNC_MULTIPLIERS)
        return INACTIVE;
    return (l * async_a_row(&shape) + async_row(&shape, x) + at->step % vectors * shape.lanes_m * shape.v) *
           cell_element_bytes(at->cell);
}

static int64_t async_first_reads_b(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return shape.tn / shape.v;
}

static int64_t async_reads_b(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return shape.bk / shape.slices * async_first_reads_b(cell);
}

static int64_t async_read_b(const struct execution *at, int x, int y)
{
    const struct async_shape shape = async_shape_of(at->cell);
    const int64_t vectors = async_first_reads_b(at->cell);
    const int64_t l = async_slice(&shape, x) * (shape.bk / shape.slices) + at->step / vectors;
    (void)y;
    if (x >= ASYNC_MULTIPLIERS)
        return INACTIVE;
    return (async_a_tile(&shape) + l * shape.bn + async_col(&shape, x) + at->step % vectors * shape.lanes_n * shape.v) *
           cell_element_bytes(at->cell);
}

/* --- The sums of the second slice of small blocks, and stores of C --- */

static int64_t async_halves(const struct cell *cell)
{
    const struct async_shape shape = async_shape_of(cell);
    return shape.slices == 1 ? 0 : ASYNC_TM * shape.tn / shape.v;
}

static int64_t async_half(const struct execution *at, int x, int64_t slice)
{
    enum { THREADS = ASYNC_MULTIPLIERS / 2 };
    return x / THREADS == slice ? (at->step * THREADS + x % THREADS) * 16 : INACTIVE;
}

static int64_t async_store_half(const struct execution *at, int x, int y)
{
    (void)y;
    return async_half(at, x, 1);
}

static int64_t async_read_half(const struct execution *at, int x, int y)
{
    (void)y;
    return async_half(at, x, 0);
}

static int64_t async_stores(const struct cell *cell)
{
    return ASYNC_TM * async_shape_of(cell).tn / async_at_once(cell);
}

static int64_t async_store(const struct execution *at, int x, int y)
{
    const struct async_shape shape = async_shape_of(at->cell);
    const int64_t e = at->step * async_at_once(at->cell), i = e / shape.tn, j = e % shape.tn;
    (void)y;
    if (x >= ASYNC_MULTIPLIERS || async_slice(&shape, x) > 0)
        return INACTIVE;
    return product_global(
        at->cell, at->cell->m, at->cell->n,
        at->block_y * shape.bm + async_row(&shape, x) + i / shape.v * shape.lanes_m * shape.v + i % shape.v,
        at->block_x * shape.bn + async_col(&shape, x) + j / shape.v * shape.lanes_n * shape.v + j % shape.v);
}

static const struct access async_sites[] = {
    {"copy of A", SPACE_GLOBAL, DIRECTION_LOAD, .width = product_element_width, .steps = async_copies_a,
     .offset = async_copy_a},
    {"copy of B", SPACE_GLOBAL, DIRECTION_LOAD, .width = async_wide_width, .steps = async_copies_b,
     .offset = async_copy_b},
    {"copy of A in a shorter step", SPACE_GLOBAL, DIRECTION_LOAD, .once = true, .width = product_element_width,
     .steps = async_copies_a, .offset = async_shorter_a},
    {"copy of B in a shorter step", SPACE_GLOBAL, DIRECTION_LOAD, .once = true, .width = product_element_width,
     .steps = async_shorter_copies_b, .offset = async_shorter_b},
    {"first read of the tile of A", SPACE_SHARED, DIRECTION_LOAD, .once = true, .width = product_vector_width,
     .steps = async_first_reads_a, .offset = async_read_a},
    {"first read of the tile of B", SPACE_SHARED, DIRECTION_LOAD, .once = true, .width = product_vector_width,
     .steps = async_first_reads_b, .offset = async_read_b},
    {"read of the tile of A", SPACE_SHARED, DIRECTION_LOAD, .width = product_vector_width, .steps = async_reads_a,
     .offset = async_read_a},
    {"read of the tile of B", SPACE_SHARED, DIRECTION_LOAD, .width = product_vector_width, .steps = async_reads_b,
     .offset = async_read_b},
    {"store of the second half of the sums", SPACE_SHARED, DIRECTION_STORE, .once = true, .width = product_vector_width,
     .steps = async_halves, .offset = async_store_half},
    {"read of the second half of the sums", SPACE_SHARED, DIRECTION_LOAD, .once = true, .width = product_vector_width,
     .steps = async_halves, .offset = async_read_half},
    {"store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = async_wide_width, .steps = async_stores,
     .offset = async_store},
    {0},
};

static const struct accesses async_accesses = {async_geometry, async_shared_bytes, async_sites};

#endif
