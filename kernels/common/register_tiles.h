/* Where CUDA kernels with register tiles read and write: what their lists of memory accesses share. For the host part
 * of a kernel file.
 * SPDX-License-Identifier: MIT
 *
 * A block of THREADS threads owns REGISTER_TILES_SIDE x REGISTER_TILES_SIDE elements of C = A B. In a pass along k it
 * copies `depth` columns of A and `depth` rows of B to shared memory. Thread and step tell which elements an access
 * moves: `width` bytes each, in the order of the tile's rows. The compiler keeps the widths that the kernels ask
 * for. */
#ifndef TILELAB_COMMON_REGISTER_TILES_H
#define TILELAB_COMMON_REGISTER_TILES_H

#include "access.h"

enum { REGISTER_TILES_SIDE = 128, REGISTER_TILES_THREADS = 256 };

static inline struct geometry register_tiles_geometry(const struct cell *cell, int64_t depth)
{
    return (struct geometry){.blocks_x = (cell->n + REGISTER_TILES_SIDE - 1) / REGISTER_TILES_SIDE,
                             .blocks_y = (cell->m + REGISTER_TILES_SIDE - 1) / REGISTER_TILES_SIDE,
                             .threads_x = REGISTER_TILES_THREADS,
                             .threads_y = 1,
                             .passes = (cell->k + depth - 1) / depth};
}

/* Elements of 16 bytes. */
static inline int64_t register_tiles_vector(const struct cell *cell)
{
    return 16 / cell_element_bytes(cell);
}

static inline int register_tiles_element_width(const struct cell *cell)
{
    return (int)cell_element_bytes(cell);
}

static inline int register_tiles_vector_width(const struct cell *cell)
{
    (void)cell;
    return 16;
}

/* The first element, counted along the rows of a tile, that a thread moves if each thread moves `elements` at a
 * time. */
static inline int64_t register_tiles_element(int thread, int64_t step, int64_t elements)
{
    return (step * REGISTER_TILES_THREADS + thread) * elements;
}

/* The offset of element (row, col) in a rows x cols matrix in global memory; INACTIVE beyond its edges. */
static inline int64_t register_tiles_global(const struct cell *cell, int64_t rows, int64_t cols, int64_t row,
                                            int64_t col)
{
    return row < rows && col < cols ? (row * cols + col) * cell_element_bytes(cell) : INACTIVE;
}

/* Element e of the tile of A, which has `depth` columns. */
static inline int64_t register_tiles_a(const struct execution *at, int64_t depth, int64_t e)
{
    return register_tiles_global(at->cell, at->cell->m, at->cell->k, at->block_y * REGISTER_TILES_SIDE + e / depth,
                                 at->pass * depth + e % depth);
}

/* Element e of the tile of B. */
static inline int64_t register_tiles_b(const struct execution *at, int64_t depth, int64_t e)
{
    return register_tiles_global(at->cell, at->cell->k, at->cell->n, at->pass * depth + e / REGISTER_TILES_SIDE,
                                 at->block_x * REGISTER_TILES_SIDE + e % REGISTER_TILES_SIDE);
}

/* Element (row, col) of the block's tile of C. */
static inline int64_t register_tiles_c(const struct execution *at, int64_t row, int64_t col)
{
    return register_tiles_global(at->cell, at->cell->m, at->cell->n, at->block_y * REGISTER_TILES_SIDE + row,
                                 at->block_x * REGISTER_TILES_SIDE + col);
}

/* --- Kernels that move vectors of 16 bytes, and whose tile of A lies transposed --- */

enum { VECTOR_TILES_BK = 16, VECTOR_TILES_TM = 8 }; /* a thread owns TM x TM elements of C */

/* Whether all rows start at multiples of 16 bytes. Otherwise elements of global memory move one by one. */
static inline bool vector_tiles_wide(const struct cell *cell)
{
    const int64_t vector = register_tiles_vector(cell);
    return cell->n % vector == 0 && cell->k % vector == 0;
}

static inline int vector_tiles_global_width(const struct cell *cell)
{
    return vector_tiles_wide(cell) ? 16 : (int)cell_element_bytes(cell);
}

/* Vectors of a tile that a thread copies. */
static inline int64_t vector_tiles_copies(const struct cell *cell)
{
    return REGISTER_TILES_SIDE * VECTOR_TILES_BK / REGISTER_TILES_THREADS / register_tiles_vector(cell);
}

/* Elements of a tile that a thread copies. */
static inline int64_t vector_tiles_elements(const struct cell *cell)
{
    return vector_tiles_copies(cell) * register_tiles_vector(cell);
}

static inline int64_t vector_tiles_loads(const struct cell *cell)
{
    return vector_tiles_wide(cell) ? vector_tiles_copies(cell) : vector_tiles_elements(cell);
}

static inline struct geometry vector_tiles_geometry(const struct cell *cell)
{
    return register_tiles_geometry(cell, VECTOR_TILES_BK);
}

/* The rows of a_tile, and then those of b_tile. The rows of a_tile are a vector longer than they need. */
static inline int64_t vector_tiles_a_row(const struct cell *cell)
{
    return REGISTER_TILES_SIDE + register_tiles_vector(cell);
}

static inline int64_t vector_tiles_b_tile(const struct cell *cell)
{
    return VECTOR_TILES_BK * vector_tiles_a_row(cell);
}

static inline int64_t vector_tiles_shared_bytes(const struct cell *cell)
{
    return (vector_tiles_b_tile(cell) + VECTOR_TILES_BK * REGISTER_TILES_SIDE) * cell_element_bytes(cell);
}

/* The first element that a thread moves in a step: of a vector, or element by element of its vectors. */
static inline int64_t vector_tiles_element(const struct execution *at, int thread, bool by_vectors)
{
    const int64_t vector = register_tiles_vector(at->cell);
    return by_vectors ? register_tiles_element(thread, at->step, vector)
                      : register_tiles_element(thread, at->step / vector, vector) + at->step % vector;
}

static inline int64_t vector_tiles_load_a(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_a(at, VECTOR_TILES_BK, vector_tiles_element(at, x, vector_tiles_wide(at->cell)));
}

static inline int64_t vector_tiles_load_b(const struct execution *at, int x, int y)
{
    (void)y;
    return register_tiles_b(at, VECTOR_TILES_BK, vector_tiles_element(at, x, vector_tiles_wide(at->cell)));
}

/* a_tile[l][row] = */
static inline int64_t vector_tiles_store_a_tile(const struct execution *at, int x, int y)
{
    const int64_t e = vector_tiles_element(at, x, false);
    (void)y;
    return (e % VECTOR_TILES_BK * vector_tiles_a_row(at->cell) + e / VECTOR_TILES_BK) * cell_element_bytes(at->cell);
}

/* A vector of b_tile[l] = */
static inline int64_t vector_tiles_store_b_tile(const struct execution *at, int x, int y)
{
    (void)y;
    return (vector_tiles_b_tile(at->cell) + vector_tiles_element(at, x, true)) * cell_element_bytes(at->cell);
}

/* Vectors of a tile that a thread reads in a pass. */
static inline int64_t vector_tiles_reads(const struct cell *cell)
{
    return VECTOR_TILES_BK * VECTOR_TILES_TM / register_tiles_vector(cell);
}

/* The offset of a vector of a_tile in the step that reads it: a thread's vectors start at `row`, `apart` elements apart
 * from each other. */
static inline int64_t vector_tiles_read_a(const struct execution *at, int64_t row, int64_t apart)
{
    const int64_t of_row = VECTOR_TILES_TM / register_tiles_vector(at->cell);
    return (at->step / of_row * vector_tiles_a_row(at->cell) + row + at->step % of_row * apart) *
           cell_element_bytes(at->cell);
}

/* The same of b_tile. */
static inline int64_t vector_tiles_read_b(const struct execution *at, int64_t col, int64_t apart)
{
    const int64_t of_row = VECTOR_TILES_TM / register_tiles_vector(at->cell);
    return (vector_tiles_b_tile(at->cell) + at->step / of_row * REGISTER_TILES_SIDE + col + at->step % of_row * apart) *
           cell_element_bytes(at->cell);
}

/* Stores of C: vectors, or elements. */
static inline int64_t vector_tiles_stores(const struct cell *cell)
{
    return VECTOR_TILES_TM * VECTOR_TILES_TM / (vector_tiles_wide(cell) ? register_tiles_vector(cell) : 1);
}

/* The place of a store in the tile of C, by a thread whose first element is (row, col). Its vectors lie apart_row and
 * apart_col elements from each other. */
static inline int64_t vector_tiles_store_c(const struct execution *at, int64_t row, int64_t apart_row, int64_t col,
                                           int64_t apart_col)
{
    const int64_t vector = register_tiles_vector(at->cell);
    const int64_t e = at->step * (vector_tiles_wide(at->cell) ? vector : 1);
    const int64_t i = e / VECTOR_TILES_TM, j = e % VECTOR_TILES_TM;
    return register_tiles_c(at, row + i / vector * apart_row + i % vector, col + j / vector * apart_col + j % vector);
}

/* All accesses of a kernel, which tells how its threads read the tiles and where they store C. */
#define VECTOR_TILES_SITES(read_a, read_b, store_c) \
    {"load for a_tile", \
     SPACE_GLOBAL, \
     DIRECTION_LOAD, \
     .width = vector_tiles_global_width, \
     .steps = vector_tiles_loads, \
     .offset = vector_tiles_load_a}, \
        {"load for b_tile", \
         SPACE_GLOBAL, \
         DIRECTION_LOAD, \
         .width = vector_tiles_global_width, \
         .steps = vector_tiles_loads, \
         .offset = vector_tiles_load_b}, \
        {"store to a_tile", \
         SPACE_SHARED, \
         DIRECTION_STORE, \
         .width = register_tiles_element_width, \
         .steps = vector_tiles_elements, \
         .offset = vector_tiles_store_a_tile}, \
        {"store to b_tile", \
         SPACE_SHARED, \
         DIRECTION_STORE, \
         .width = register_tiles_vector_width, \
         .steps = vector_tiles_copies, \
         .offset = vector_tiles_store_b_tile}, \
        {"read of a_tile", \
         SPACE_SHARED, \
         DIRECTION_LOAD, \
         .width = register_tiles_vector_width, \
         .steps = vector_tiles_reads, \
         .offset = read_a}, \
        {"read of b_tile", \
         SPACE_SHARED, \
         DIRECTION_LOAD, \
         .width = register_tiles_vector_width, \
         .steps = vector_tiles_reads, \
         .offset = read_b}, \
    { \
        "store of C", SPACE_GLOBAL, DIRECTION_STORE, .once = true, .width = vector_tiles_global_width, \
                                                     .steps = vector_tiles_stores, .offset = store_c \
    }

#endif
