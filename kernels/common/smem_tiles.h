/* Where CUDA kernels with shared-memory tiles read and write: what their lists of memory accesses share. For the host
 * part of a kernel file. Each function is named after the access of the kernel that it describes.
 * SPDX-License-Identifier: MIT
 *
 * A block of tile x tile threads owns a tile of C = A B. In shared memory a_tile lies first, b_tile behind it. A thread
 * needs a whole row of a_tile, so that the compiler reads a_tile in the widest words it can. Threads share the rows of
 * b_tile, so that each thread reads b_tile one element at a time. tests/sass.sh checks both in the machine code. */
#ifndef TILELAB_COMMON_SMEM_TILES_H
#define TILELAB_COMMON_SMEM_TILES_H

#include "access.h"
#include "cuda_variant.cuh"

/* Rows of A and C: m, or n if the problem has no m, since C is square then. */
static inline int64_t smem_rows(const struct cell *cell)
{
    return cell->m > 0 ? cell->m : cell->n;
}

static inline struct geometry smem_geometry(const struct cell *cell)
{
    const int64_t tile = cell->tile;
    return (struct geometry){.blocks_x = (cell->n + tile - 1) / tile,
                             .blocks_y = (smem_rows(cell) + tile - 1) / tile,
                             .threads_x = (int)tile,
                             .threads_y = (int)tile,
                             .passes = (cell->k + tile - 1) / tile};
}

/* The shared memory of one tile, and of two tiles. */
static inline int64_t smem_one_tile_bytes(const struct cell *cell)
{
    return cell->tile * cell->tile * cell_element_bytes(cell);
}
static inline int64_t smem_two_tiles_bytes(const struct cell *cell)
{
    return 2 * smem_one_tile_bytes(cell);
}

/* Says why a kernel whose accesses to global memory have no guards cannot compute a square product; NULL: it can.
 * `built` is the kernel's list of tiles, by CUDA_LIST. */
static inline const char *smem_square_reason(const struct cell *cell, int64_t shared_bytes, const int64_t *built)
{
    const int64_t tile = cell->tile;
    const char *reason = cuda_block_reason(tile, tile * tile, shared_bytes);
    reason = reason ? reason : cuda_built_reason("tile", tile, built);
    reason = reason ? reason : cuda_multiple_reason("n", cell->n, tile);
    reason = reason ? reason : cuda_multiple_reason("k", cell->k, tile);
    return reason ? reason : cuda_rows_reason("n", cell->n, tile);
}

/* --- Widths and steps --- */

static inline int smem_element_width(const struct cell *cell)
{
    return (int)cell_element_bytes(cell);
}

/* A thread reads a row of a_tile in words of 16 bytes, or at once if the row is shorter. */
static inline int smem_row_width(const struct cell *cell)
{
    const int64_t row_bytes = cell->tile * cell_element_bytes(cell);
    return row_bytes < 16 ? (int)row_bytes : 16;
}

static inline int64_t smem_element_steps(const struct cell *cell)
{
    return cell->tile;
}

static inline int64_t smem_row_steps(const struct cell *cell)
{
    return cell->tile * cell_element_bytes(cell) / smem_row_width(cell);
}

/* --- Global memory --- */

/* The offset of element (row, col) in a rows x cols matrix; INACTIVE beyond its edges. */
static inline int64_t smem_global(const struct cell *cell, int64_t rows, int64_t cols, int64_t row, int64_t col)
{
    return row < rows && col < cols ? (row * cols + col) * cell_element_bytes(cell) : INACTIVE;
}

/* a[row][first + x] */
static inline int64_t smem_load_a(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    return smem_global(cell, smem_rows(cell), cell->k, at->block_y * cell->tile + y, at->pass * cell->tile + x);
}

/* a[col0 + y][first + x]: the load of a kernel whose b_tile holds a part of A^T, along the rows of A. */
static inline int64_t smem_load_at(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    return smem_global(cell, cell->n, cell->k, at->block_x * cell->tile + y, at->pass * cell->tile + x);
}

/* c[row][col] */
static inline int64_t smem_store_c(const struct execution *at, int x, int y)
{
    const struct cell *cell = at->cell;
    return smem_global(cell, smem_rows(cell), cell->n, at->block_y * cell->tile + y, at->block_x * cell->tile + x);
}

/* --- Shared memory --- */

/* a_tile[row][col] */
static inline int64_t smem_a(const struct cell *cell, int64_t row, int64_t col)
{
    return (row * cell->tile + col) * cell_element_bytes(cell);
}

/* b_tile[row][col], in rows of `pitch` elements. */
static inline int64_t smem_b(const struct cell *cell, int64_t pitch, int64_t row, int64_t col)
{
    return smem_one_tile_bytes(cell) + (row * pitch + col) * cell_element_bytes(cell);
}

/* a_tile[y][x] = */
static inline int64_t smem_store_a_tile(const struct execution *at, int x, int y)
{
    return smem_a(at->cell, y, x);
}

/* a_tile[y][l], for all l of a step: all threads of a row read the same address. */
static inline int64_t smem_read_a_tile(const struct execution *at, int x, int y)
{
    (void)x;
    return smem_a(at->cell, y, 0) + at->step * smem_row_width(at->cell);
}

/* b_tile[y][x] = */
static inline int64_t smem_store_b_tile(const struct execution *at, int x, int y)
{
    return smem_b(at->cell, at->cell->tile, y, x);
}

/* b_tile[l][x], l = step */
static inline int64_t smem_read_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return smem_b(at->cell, at->cell->tile, at->step, x);
}

/* --- All accesses of a kernel whose threads own one element of C each --- */

/* Kernels differ in the blocks that have work, and in their accesses to b_tile: its load, its store and its reads. */
#define SMEM_SITES(which_blocks, load_b, store_b, read_b) \
    {"load for a_tile",           SPACE_GLOBAL,           DIRECTION_LOAD, \
     .width = smem_element_width, .blocks = which_blocks, .offset = smem_load_a}, \
        {"load for b_tile",           SPACE_GLOBAL,           DIRECTION_LOAD, \
         .width = smem_element_width, .blocks = which_blocks, .offset = load_b}, \
        {"store to a_tile",           SPACE_SHARED,           DIRECTION_STORE, \
         .width = smem_element_width, .blocks = which_blocks, .offset = smem_store_a_tile}, \
        {"store to b_tile",           SPACE_SHARED,           DIRECTION_STORE, \
         .width = smem_element_width, .blocks = which_blocks, .offset = store_b}, \
        {"read of a_tile", \
         SPACE_SHARED, \
         DIRECTION_LOAD, \
         .width = smem_row_width, \
         .steps = smem_row_steps, \
         .blocks = which_blocks, \
         .offset = smem_read_a_tile}, \
        {"read of b_tile", \
         SPACE_SHARED, \
         DIRECTION_LOAD, \
         .width = smem_element_width, \
         .steps = smem_element_steps, \
         .blocks = which_blocks, \
         .offset = read_b}, \
    { \
        "store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = smem_element_width, \
                                                     .blocks = which_blocks, .offset = smem_store_c \
    }

#endif
