/* The innermost level of the packed product: a tile of C that stays in registers for a whole block of k.
 * Part of packed.h, and compiled for each precision, optimisation level and instruction set: its vectors are as wide as
 * the build's, and one of the builds is chosen at run time.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_GEMM_TILE_H
#define TILELAB_COMMON_GEMM_TILE_H

#include "variant.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/* A tile is MR rows of VECTORS vectors. With those of B and an element of A it fits into 32 registers (AVX-512) or 16,
 * and has more independent sums than two multiply-add units of latency 5 keep under way. More rows of fewer vectors
 * would need more elements of A, each of which costs a broadcast. At edges rows go by ROW_STEP, a third of MR, and the
 * last of them one by one. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64, VECTORS = 4 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32, VECTORS = 2 };
#else
enum { VECTOR_BYTES = 16, VECTORS = 2 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), ROW_STEP = 2, MR = 3 * ROW_STEP, NR = VECTORS * LANES };

typedef real vector __attribute__((vector_size(VECTOR_BYTES)));
/* A vector wherever an element may lie. */
typedef real loose_vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

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
enum gemm_update { GEMM_SET, GEMM_ADD, GEMM_SUBTRACT };

/* Where a tile's sums go. */
struct gemm_target {
    real *c;         /* the first element */
    int64_t row;     /* elements from row to row */
    int64_t columns; /* written: those computed, or fewer */
    enum gemm_update update;
};

/* --- The first lanes of a vector: no other memory is touched --- */

#if defined(__AVX512F__)

enum { LOADS_LANES = true };
#if defined(TILELAB_F64)
typedef __mmask8 lanes;
#define LANES_LOAD(mask, from) _mm512_maskz_loadu_pd(mask, from)
#define LANES_STORE(to, mask, v) _mm512_mask_storeu_pd(to, mask, (__m512d)(v))
#elif defined(TILELAB_F32)
typedef __mmask16 lanes;
#define LANES_LOAD(mask, from) _mm512_maskz_loadu_ps(mask, from)
#define LANES_STORE(to, mask, v) _mm512_mask_storeu_ps(to, mask, (__m512)(v))
#else
typedef __mmask16 lanes;
#define LANES_LOAD(mask, from) _mm512_maskz_loadu_epi32(mask, from)
#define LANES_STORE(to, mask, v) _mm512_mask_storeu_epi32(to, mask, (__m512i)(v))
#endif

static ALWAYS_INLINE lanes lanes_first(int64_t count)
{
    return (lanes)((1u << count) - 1);
}

#else

/* Stores only: a loop is too slow for the loads of each step. */
enum { LOADS_LANES = false };
typedef int64_t lanes;
#define LANES_LOAD(count, from) ((void)(count), (vector) * (const loose_vector *)(from))
#define LANES_STORE(to, count, v) \
    do { \
        const vector stored_ = (v); \
        for (int64_t lane_ = 0; lane_ < (count); lane_++) \
            (to)[lane_] = stored_[lane_]; \
    } while (0)

static ALWAYS_INLINE lanes lanes_first(int64_t count)
{
    return count;
}

#endif

/* What C held before in those lanes, 0 in the others. */
static ALWAYS_INLINE vector lanes_before(lanes first, const real *c)
{
#if defined(__AVX512F__)
    return (vector)LANES_LOAD(first, c);
#else
    vector before = {0};
    for (int64_t lane = 0; lane < first; lane++)
        before[lane] = c[lane];
    return before;
#endif
}

/* A vector of sums into the first of its lanes. */
static ALWAYS_INLINE void gemm_tile_store(real *c, lanes first, vector sum, enum gemm_update update)
{
    if (update != GEMM_SET) {
        const vector before = lanes_before(first, c);
        sum = update == GEMM_ADD ? before + sum : before - sum;
    }
    LANES_STORE(c, first, sum);
}

#define TILE_STORE(assign) \
    UNROLLED \
    for (int i = 0; i < rows; i++) \
        UNROLLED \
    for (int v = 0; v < vectors; v++) \
    *(loose_vector *)(to->c + i * to->row + v * LANES) assign sum[i][v]

/* A (rows x depth) B (depth x vectors * LANES). Elements of A lie a_row and a_column apart; rows of B are vectors,
 * b_row elements apart, the last of which is as long as the columns need where `ragged`, and whole else. `rows`,
 * `vectors` and `ragged` are constants in each use. */
static ALWAYS_INLINE void gemm_tile_multiply(const int rows, const int vectors, const bool ragged, int64_t depth,
                                             const real *a, int64_t a_row, int64_t a_column, const real *b,
                                             int64_t b_row, const struct gemm_target *to)
{
    /* C is fetched this many steps before it is needed: earlier, and A and B would drive it out of the first-level
     * cache again. */
    enum { AHEAD = 64 };
    const int last = vectors - 1;
    const lanes first = lanes_first(to->columns - last * LANES);
    vector sum[MR][VECTORS];
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
            vector factor[VECTORS];
            UNROLLED
            for (int v = 0; v < last; v++)
                factor[v] = *(const loose_vector *)(b + v * LANES);
            factor[last] = ragged ? (vector)LANES_LOAD(first, b + last * LANES)
                                  : (vector) * (const loose_vector *)(b + last * LANES);
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
        UNROLLED
        for (int i = 0; i < rows; i++) {
            real *c = to->c + i * to->row;
            UNROLLED
            for (int v = 0; v < last; v++)
                gemm_tile_store(c + v * LANES, lanes_first(LANES), sum[i][v], to->update);
            gemm_tile_store(c + last * LANES, first, sum[i][last], to->update);
        }
    } else if (to->update == GEMM_SET) {
        TILE_STORE(=);
    } else if (to->update == GEMM_ADD) {
        TILE_STORE(+=);
    } else {
        TILE_STORE(-=);
    }
}
#undef TILE_STORE

/* Rows of the next tile where `left` remain. */
static inline int gemm_tile_rows(int64_t left)
{
    return left >= MR ? MR : left >= 2 * ROW_STEP ? 2 * ROW_STEP : left >= ROW_STEP ? ROW_STEP : 1;
}

/* gemm_tile_multiply with rows from gemm_tile_rows, and no more vectors than the columns need. */
static ALWAYS_INLINE void gemm_tile_of_rows(int rows, const bool ragged, int64_t depth, const real *a, int64_t a_row,
                                            int64_t a_column, const real *b, int64_t b_row,
                                            const struct gemm_target *to)
{
#define TILE(rows, vectors) \
    gemm_tile_multiply(rows, vectors, ragged, depth, a, a_row, a_column, b, b_row, to); \
    return
#define TILES(rows) \
    if (VECTORS >= 4 && to->columns > 3 * LANES) { \
        TILE(rows, VECTORS); \
    } \
    if (VECTORS >= 3 && to->columns > 2 * LANES) { \
        TILE(rows, VECTORS < 3 ? VECTORS : 3); \
    } \
    if (to->columns > LANES) { \
        TILE(rows, 2); \
    } \
    TILE(rows, 1)
    switch (rows) {
    case MR:
        TILES(MR);
    case 2 * ROW_STEP:
        TILES(2 * ROW_STEP);
    case ROW_STEP:
        TILES(ROW_STEP);
    default:
        TILES(1);
    }
#undef TILES
#undef TILE
}

/* With A packed: a sliver of MR rows, one column after another; so is B, with NR. */
static WHOLE_VECTORS void gemm_tile_packed(int rows, int64_t depth, const real *a, const real *b,
                                           const struct gemm_target *to)
{
    gemm_tile_of_rows(rows, false, depth, a, 1, MR, b, NR, to);
}

/* With A where it lies, its rows a_row elements apart; so does B where LOADS_LANES. */
static WHOLE_VECTORS void gemm_tile_in_place(int rows, int64_t depth, const real *a, int64_t a_row, const real *b,
                                             int64_t b_row, const struct gemm_target *to)
{
    gemm_tile_of_rows(rows, LOADS_LANES, depth, a, a_row, 1, b, b_row, to);
}

#endif
