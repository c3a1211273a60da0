/* The innermost level of the packed product: a tile of C that stays in registers for a whole block of k.
 * Part of packed.h, and compiled for each precision, optimisation level and instruction set: its vectors are as wide as
 * the build's, and one of the builds is chosen at run time.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_PACKED_TILE_H
#define TILELAB_PACKED_TILE_H

#include "variant.h"

/* A tile is MR rows of NR / LANES = 2 vectors. With those 2 of B and an element of A it fits into 32 registers
 * (AVX-512) or 16, and has more independent sums than two multiply-add units of latency 5 keep under way. At edges rows
 * go by ROW_STEP, a third of MR, and the last of them one by one. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64, ROW_STEP = 4 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32, ROW_STEP = 2 };
#else
enum { VECTOR_BYTES = 16, ROW_STEP = 2 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), MR = 3 * ROW_STEP, NR = 2 * LANES };

typedef real vector __attribute__((vector_size(VECTOR_BYTES)));
/* A vector wherever an element may lie. */
typedef real loose_vector
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

/* Loops over the registers of a tile are unrolled, or the sums would live in memory. */
#define UNROLLED _Pragma("GCC unroll 16")
#define ALWAYS_INLINE inline __attribute__((always_inline))
/* clang would halve the vectors of AVX-512. */
#if defined(__has_attribute) && __has_attribute(min_vector_width)
#define WHOLE_VECTORS __attribute__((min_vector_width(8 * VECTOR_BYTES)))
#else
#define WHOLE_VECTORS
#endif

/* C = A B, C += A B or C -= A B. */
enum update { UPDATE_SET, UPDATE_ADD, UPDATE_SUBTRACT };

/* Where a tile's sums go. */
struct tile_target {
    real *c;         /* the first element */
    int64_t row;     /* elements from row to row */
    int64_t columns; /* written: those computed, or fewer */
    enum update update;
};

/* A tile of which fewer columns are written than its vectors have. */
static __attribute__((noinline)) void tile_store_edge(int rows, real (*sum)[NR],
                                                      const struct tile_target *to)
{
    for (int i = 0; i < rows; i++)
        for (int64_t j = 0; j < to->columns; j++) {
            real *c = to->c + i * to->row + j;
            const real before = to->update == UPDATE_SET ? 0 : *c;
            *c = to->update == UPDATE_SUBTRACT ? before - sum[i][j] : before + sum[i][j];
        }
}

#define TILE_STORE(assign) \
    UNROLLED \
    for (int i = 0; i < rows; i++) \
        UNROLLED \
    for (int v = 0; v < vectors; v++) \
    *(loose_vector *)(to->c + i * to->row + v * LANES) assign sum[i][v]

/* A (rows x depth) B (depth x vectors * LANES). Elements of A lie a_row and a_column apart; rows of B are vectors,
 * b_row elements apart. `rows` and `vectors` are constants in each use. */
static ALWAYS_INLINE void tile_multiply(const int rows, const int vectors, int64_t depth,
                                        const real *a, int64_t a_row, int64_t a_column,
                                        const real *b, int64_t b_row, const struct tile_target *to)
{
    /* C is fetched this many steps before it is needed: earlier, and A and B would drive it out of the first-level
     * cache again. */
    enum { AHEAD = 64 };
    vector sum[MR][2];
    UNROLLED
    for (int i = 0; i < rows; i++)
        UNROLLED
    for (int v = 0; v < vectors; v++)
        sum[i][v] = (vector){0};

    int64_t stop = depth > AHEAD ? depth - AHEAD : depth;
    for (int64_t l = 0; l < depth; stop = depth) {
        if (l > 0)
            UNROLLED
        for (int i = 0; i < rows; i++) {
            __builtin_prefetch(to->c + i * to->row, 1);
            __builtin_prefetch(to->c + i * to->row + to->columns - 1, 1);
        }
#pragma GCC unroll 4
        for (; l < stop; l++) {
            vector factor[2];
            UNROLLED
            for (int v = 0; v < vectors; v++)
                factor[v] = *(const loose_vector *)(b + v * LANES);
            UNROLLED
            for (int i = 0; i < rows; i++) {
                const real element = a[i * a_row];
                UNROLLED
                for (int v = 0; v < vectors; v++)
                    sum[i][v] += element * factor[v];
            }
            a += a_column;
            b += b_row;
        }
    }

    if (to->columns < vectors * LANES) {
        real edge[MR][NR];
        UNROLLED
        for (int i = 0; i < rows; i++)
            UNROLLED
        for (int v = 0; v < vectors; v++)
            *(loose_vector *)&edge[i][v * LANES] = sum[i][v];
        tile_store_edge(rows, edge, to);
    } else if (to->update == UPDATE_SET) {
        TILE_STORE(=);
    } else if (to->update == UPDATE_ADD) {
        TILE_STORE(+=);
    } else {
        TILE_STORE(-=);
    }
}
#undef TILE_STORE

/* Rows of the next tile where `left` remain. */
static inline int tile_rows(int64_t left)
{
    return left >= MR ? MR : left >= 2 * ROW_STEP ? 2 * ROW_STEP : left >= ROW_STEP ? ROW_STEP : 1;
}

/* tile_multiply with rows from tile_rows, and no more vectors than the columns need. */
static ALWAYS_INLINE void tile_of_rows(int rows, int64_t depth, const real *a, int64_t a_row,
                                       int64_t a_column, const real *b, int64_t b_row,
                                       const struct tile_target *to)
{
#define TILE(rows, vectors) tile_multiply(rows, vectors, depth, a, a_row, a_column, b, b_row, to)
    const bool two = to->columns > LANES;
    switch (rows) {
    case MR:
        two ? TILE(MR, 2) : TILE(MR, 1);
        break;
    case 2 * ROW_STEP:
        two ? TILE(2 * ROW_STEP, 2) : TILE(2 * ROW_STEP, 1);
        break;
    case ROW_STEP:
        two ? TILE(ROW_STEP, 2) : TILE(ROW_STEP, 1);
        break;
    default:
        two ? TILE(1, 2) : TILE(1, 1);
    }
#undef TILE
}

/* With A packed: a sliver of MR rows, one column after another; so is B, with NR. */
static WHOLE_VECTORS void tile_packed(int rows, int64_t depth, const real *a, const real *b,
                                      const struct tile_target *to)
{
    tile_of_rows(rows, depth, a, 1, MR, b, NR, to);
}

/* With A where it lies, its rows a_row elements apart. */
static WHOLE_VECTORS void tile_in_place(int rows, int64_t depth, const real *a, int64_t a_row,
                                        const real *b, int64_t b_row, const struct tile_target *to)
{
    tile_of_rows(rows, depth, a, a_row, 1, b, b_row, to);
}

#endif
