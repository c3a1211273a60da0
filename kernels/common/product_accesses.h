/* Where products copy tiles asynchronously from global to shared memory: what their lists of memory accesses share. For
 * the host part of a kernel file.
 * SPDX-License-Identifier: MIT
 *
 * The counters count an asynchronous copy as a load of global memory, and not as a store to shared memory. A lane whose
 * copy only writes zeros is not counted as active; at the edges of a matrix it sometimes counts a sector. */
#ifndef TILELAB_COMMON_PRODUCT_ACCESSES_H
#define TILELAB_COMMON_PRODUCT_ACCESSES_H

#include "access.h"

static inline int product_element_width(const struct cell *cell)
{
    return (int)cell_element_bytes(cell);
}

static inline int product_vector_width(const struct cell *cell)
{
    (void)cell;
    return 16;
}

/* Elements of 16 bytes. */
static inline int64_t product_vector(const struct cell *cell)
{
    return 16 / cell_element_bytes(cell);
}

/* Whether copies move 16 bytes, which all rows of both operands permit. */
static inline bool product_wide(const struct cell *cell)
{
    return cell->n % product_vector(cell) == 0 && cell->k % product_vector(cell) == 0;
}

static inline int product_copy_width(const struct cell *cell)
{
    return product_wide(cell) ? 16 : product_element_width(cell);
}

/* Elements that a thread copies at a time. */
static inline int64_t product_at_once(const struct cell *cell)
{
    return product_wide(cell) ? product_vector(cell) : 1;
}

static inline int64_t product_count(int64_t size, int64_t tile)
{
    return (size + tile - 1) / tile;
}

/* The rows of A, and so of C: a symmetric product has no m. */
static inline int64_t product_rows(const struct cell *cell)
{
    return cell->m ? cell->m : cell->n;
}

/* The offset of element (row, col) in a rows x cols matrix in global memory; INACTIVE beyond its edges. */
static inline int64_t product_global(const struct cell *cell, int64_t rows, int64_t cols, int64_t row, int64_t col)
{
    return row < rows && col < cols ? (row * cols + col) * cell_element_bytes(cell) : INACTIVE;
}

/* A tile that all threads of a block copy, as product_copy of product_tiles.cuh does: its first element in a matrix,
 * and its size. */
struct product_copied {
    int64_t first_row, first_col, rows, cols;
};

/* Times that a thread copies. */
static inline int64_t product_copies(const struct cell *cell, int64_t tile_elements, int64_t threads)
{
    return tile_elements / threads / product_at_once(cell);
}

static inline int64_t product_copy_offset(const struct execution *at, int thread, int64_t threads,
                                          struct product_copied tile, int64_t matrix_rows, int64_t matrix_cols)
{
    const int64_t of_row = tile.cols / product_at_once(at->cell);
    const int64_t row = thread / of_row + at->step * (threads / of_row);
    const int64_t col = thread % of_row * product_at_once(at->cell);
    return product_global(at->cell, matrix_rows, matrix_cols, tile.first_row + row, tile.first_col + col);
}

#endif
