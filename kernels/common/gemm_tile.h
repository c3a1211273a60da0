/* The innermost level of the product: a register tile of C, which stays in registers for a whole block of the sum.
 * gemm.h includes this header. Each precision, optimisation level and instruction set compiles it anew, with vectors as
 * wide as its instruction set has; the runner chooses one of these builds.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_GEMM_TILE_H
#define TILELAB_COMMON_GEMM_TILE_H

#include "variant.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/* A register tile has MR rows of VECTORS SIMD vectors; a vector has LANES elements. The tile, a row of B and an element
 * of A fit into the registers: 32 with AVX-512, else 16. The tile has more independent sums than two multiply-add units
 * of latency 5 keep busy. A tile with more rows and fewer vectors would broadcast more elements of A. At the lower edge
 * of C, tiles take ROW_STEP rows, a third of MR, and the last rows one by one. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64, VECTORS = 4 };
#elif defined(__AVX2__)
enum { VECTOR_BYTES = 32, VECTORS = 2 };
#else
enum { VECTOR_BYTES = 16, VECTORS = 2 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), ROW_STEP = 2, MR = 3 * ROW_STEP, NR = VECTORS * LANES };

typedef real vector __attribute__((vector_size(VECTOR_BYTES)));
/* A vector that need not be aligned. */
typedef real loose_vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

/* A loop over the rows or vectors of a tile, from `from` to `end` - 1. It must unroll, or the compiler keeps the sums
 * in memory. */
#define UNROLL_FOR(i, from, end) _Pragma("GCC unroll 16") for (int i = from; i < end; i++)
#define ALWAYS_INLINE inline __attribute__((always_inline))
/* Without this attribute clang halves the vectors of AVX-512. */
#if defined(__has_attribute) && __has_attribute(min_vector_width)
#define WHOLE_VECTORS __attribute__((min_vector_width(8 * VECTOR_BYTES)))
#else
#define WHOLE_VECTORS
#endif

/* LANES neighbouring elements. */
static ALWAYS_INLINE vector vector_load(const real *from)
{
    return *(const loose_vector *)from;
}

/* What becomes of C: C = A B, C += A B or C -= A B. */
enum gemm_update { GEMM_SET, GEMM_ADD, GEMM_SUBTRACT };

/* Where the sums of a tile go. */
struct gemm_target {
    real *c;         /* first element of the tile */
    int64_t row;     /* elements from row to row */
    int64_t columns; /* columns that exist; the tile may compute more */
    enum gemm_update update;
};

/* --- Loads and stores of the first lanes of a vector, which touch no other memory --- */

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

/* Only stores take a part of a vector. Loads would need a loop, which is too slow in every step of the sum. */
enum { LOADS_LANES = false };
typedef int64_t lanes;
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

/* The elements of the first lanes, and 0 in the other lanes. */
static ALWAYS_INLINE vector lanes_load(lanes first, const real *from)
{
#if defined(__AVX512F__)
    return (vector)LANES_LOAD(first, from);
#else
    vector loaded = {0};
    for (int64_t lane = 0; lane < first; lane++)
        loaded[lane] = from[lane];
    return loaded;
#endif
}

/* Updates the first lanes of C by a vector of sums. */
static ALWAYS_INLINE void gemm_tile_store(real *c, lanes first, vector sum, enum gemm_update update)
{
    if (update != GEMM_SET) {
        const vector before = lanes_load(first, c);
        sum = update == GEMM_ADD ? before + sum : before - sum;
    }
    LANES_STORE(c, first, sum);
}

#define TILE_STORE(assign) \
    UNROLL_FOR(i, 0, rows) \
        UNROLL_FOR(v, 0, vectors) \
    *(loose_vector *)(to->c + i * to->row + v * LANES) assign sum[i][v]

/* Multiplies A (rows x depth) by B (depth x vectors * LANES) and updates C. Elements of A lie a_row and a_column apart;
 * rows of B are contiguous and lie b_row apart. With `ragged`, the last vector of a row of B is loaded only as far as
 * columns exist. With `packed`, A and B are slivers of large blocks. `rows`, `vectors`, `ragged` and `packed` are
 * constants in each use, so that each combination has its own code. */
static ALWAYS_INLINE void gemm_tile_multiply(const int rows, const int vectors, const bool ragged, const bool packed,
                                             int64_t depth, const real *a, int64_t a_row, int64_t a_column,
                                             const real *b, int64_t b_row, const struct gemm_target *to)
{
    /* C comes into the second-level cache at once, and into the first-level cache AHEAD steps before its use. A and B
     * would drive it out of the first-level cache if it came earlier. With AVX-512 a sliver of B is larger than this
     * cache, and comes B_AHEAD steps before its use. */
    enum { AHEAD = 64, B_AHEAD = VECTORS > 2 ? 8 : 0, SECOND_LEVEL = 2 };
    const int last = vectors - 1;
    const lanes first = lanes_first(to->columns - last * LANES);
    vector sum[MR][VECTORS];
    UNROLL_FOR(i, 0, rows)
        UNROLL_FOR(v, 0, vectors)
            sum[i][v] = (vector){0};

    if (packed && depth > AHEAD)
        UNROLL_FOR(i, 0, rows)
            UNROLL_FOR(v, 0, vectors)
                __builtin_prefetch(to->c + i * to->row + v * LANES, 0, SECOND_LEVEL);

    int64_t stop = depth > AHEAD ? depth - AHEAD : depth;
    for (int64_t l = 0; l < depth; stop = depth) {
        if (l > 0)
            UNROLL_FOR(i, 0, rows)
                UNROLL_FOR(v, 0, vectors)
                    __builtin_prefetch(to->c + i * to->row + v * LANES, 1);
#pragma GCC unroll 4
        for (; l < stop; l++) {
            vector factor[VECTORS];
            if (packed && B_AHEAD > 0)
                UNROLL_FOR(v, 0, vectors)
                    __builtin_prefetch(b + B_AHEAD * b_row + v * LANES);
            UNROLL_FOR(v, 0, last)
                factor[v] = vector_load(b + v * LANES);
            factor[last] = ragged ? lanes_load(first, b + last * LANES) : vector_load(b + last * LANES);
            UNROLL_FOR(i, 0, rows) {
                const real element = a[i * a_row];
                UNROLL_FOR(v, 0, vectors)
                    sum[i][v] += element * factor[v];
            }
            a += a_column;
            b += b_row;
        }
    }

    if (to->columns < vectors * LANES) {
        UNROLL_FOR(i, 0, rows) {
            real *c = to->c + i * to->row;
            UNROLL_FOR(v, 0, last)
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

/* The number of rows of the next tile, if `left` rows remain. */
static inline int gemm_tile_rows(int64_t left)
{
    return left >= MR ? MR : left >= 2 * ROW_STEP ? 2 * ROW_STEP : left >= ROW_STEP ? ROW_STEP : 1;
}

/* Calls gemm_tile_multiply for a number of rows from gemm_tile_rows(), with as few vectors as the columns need. */
static ALWAYS_INLINE void gemm_tile_of_rows(int rows, const bool ragged, const bool packed, int64_t depth,
                                            const real *a, int64_t a_row, int64_t a_column, const real *b,
                                            int64_t b_row, const struct gemm_target *to)
{
#define TILE(rows, vectors) \
    gemm_tile_multiply(rows, vectors, ragged, packed, depth, a, a_row, a_column, b, b_row, to); \
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

/* A tile from packed slivers: MR elements of A and NR elements of B for each step of the sum. */
static WHOLE_VECTORS void gemm_tile_packed(int rows, int64_t depth, const real *a, const real *b,
                                           const struct gemm_target *to)
{
    gemm_tile_of_rows(rows, false, true, depth, a, 1, MR, b, NR, to);
}

/* A tile from A as it lies in memory, with rows a_row elements apart. B lies in memory too if LOADS_LANES; else it has
 * full vectors. */
static WHOLE_VECTORS void gemm_tile_in_place(int rows, int64_t depth, const real *a, int64_t a_row, const real *b,
                                             int64_t b_row, const struct gemm_target *to)
{
    gemm_tile_of_rows(rows, LOADS_LANES, false, depth, a, a_row, 1, b, b_row, to);
}

#endif
