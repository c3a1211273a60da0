/* The inner level of omp-amx: splits elements into parts, packs the parts in the order of tiles, and multiplies tiles.
 * A panel is PANEL rows of A or PANEL columns of B. For each STEP of the sum, it holds the tiles of part 0, then those
 * of part 1, and so on. Parts are BF16 numbers from large to small in f32, and bytes from low to high in i32.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_MATMUL_AMX_BLOCK_H
#define TILELAB_MATMUL_AMX_BLOCK_H

#include "common/amx.h"

#include "variant.h"

#if defined(TILELAB_I32)
enum { PARTS = 4, PART_BITS = 8, PANEL = 16 };
typedef uint8_t amx_number;
#else
enum { PARTS = 3, PART_BITS = 16, PANEL = 32 };
typedef uint16_t amx_number;
#endif
/* A word of 32 bits holds PACK neighbours along the sum. */
enum { PACK = 32 / PART_BITS, STEP = PACK * AMX_ROWS, TILES = PANEL / AMX_ROWS };
enum { STEP_BYTES = PARTS * TILES * AMX_TILE_BYTES };

/* --- Parts, of as many elements at once as a row of a tile has words --- */

typedef uint32_t words __attribute__((vector_size(AMX_ROW_BYTES)));

#if defined(TILELAB_I32)

static inline void amx_take_part(words *rest, words *part)
{
    *part = *rest & 0xff;
    *rest >>= PART_BITS;
}

static inline void amx_note_outside(const words *element, words *outside)
{
    (void)element;
    (void)outside;
}

#else

typedef float floats __attribute__((vector_size(AMX_ROW_BYTES)));

/* Gives the BF16 numbers nearest to *rest, as 16 bits, and leaves the exact differences. */
static inline void amx_take_part(words *rest, words *part)
{
    const words rounded = (*rest + 0x7fff + (*rest >> 16 & 1)) & 0xffff0000;
    *rest = (words)((floats)*rest - (floats)rounded);
    *part = rounded >> 16;
}

/* The unit takes denormal numbers for 0. If elements are 0 or lie between 2^-40 and 2^40, no product of their last bits
 * is denormal, and no sum is infinite. A word of *outside becomes non-zero for each other element. */
static inline void amx_note_outside(const words *element, words *outside)
{
    enum { LEAST = (127 - 40) << 23, MOST = (127 + 40) << 23 }; /* the bits of 2^-40 and 2^40 */
    const words size = *element & 0x7fffffff;
    *outside |= (words)((size != 0) & ((size < LEAST) | (size > MOST)));
}

#endif

/* Gets up to 16 elements. 0 stands for elements that do not exist. */
static inline void amx_get(const real *from, int64_t count, words *element)
{
    *element = (words){0};
    if (count >= AMX_ROWS)
        memcpy(element, from, sizeof *element);
    else if (count > 0)
        memcpy(element, from, (size_t)count * sizeof(uint32_t));
}

static inline int amx_any(const words *outside)
{
    uint32_t any = 0;
    for (int w = 0; w < AMX_ROWS; w++)
        any |= (*outside)[w];
    return any != 0;
}

/* --- Packing. Both functions return whether an element is outside of what the parts can hold. --- */

/* Packs `rows` rows of A, each with `depth` elements. */
static inline int amx_pack_a(const real *a, int64_t lda, int64_t rows, int64_t depth, unsigned char *to)
{
    typedef amx_number numbers __attribute__((vector_size(AMX_ROWS * sizeof(amx_number))));
    words outside = {0}, rest, part;
    for (int64_t l = 0; l < depth; l += STEP, to += STEP_BYTES)
        for (int64_t i = 0; i < PANEL; i++)
            for (int64_t e = 0; e < STEP; e += AMX_ROWS) {
                amx_get(a + i * lda + l + e, i < rows ? depth - l - e : 0, &rest);
                amx_note_outside(&rest, &outside);
                for (int64_t p = 0; p < PARTS; p++) {
                    amx_take_part(&rest, &part);
                    const numbers packed = __builtin_convertvector(part, numbers);
                    memcpy(to + p * TILES * AMX_TILE_BYTES + i * AMX_ROW_BYTES + e * (int64_t)sizeof(amx_number),
                           &packed, sizeof packed);
                }
            }
    return amx_any(&outside);
}

/* Packs `columns` columns of B, each with `depth` elements. */
static inline int amx_pack_b(const real *b, int64_t ldb, int64_t columns, int64_t depth, unsigned char *to)
{
    words outside = {0}, rest[PACK], part;
    for (int64_t l = 0; l < depth; l += STEP, to += STEP_BYTES)
        for (int64_t row = 0; row < AMX_ROWS; row++)
            for (int64_t t = 0; t < TILES; t++) {
                for (int64_t e = 0; e < PACK; e++) {
                    const int64_t step = l + row * PACK + e, left = columns - t * AMX_ROWS;
                    amx_get(b + step * ldb + t * AMX_ROWS, step < depth ? left : 0, &rest[e]);
                    amx_note_outside(&rest[e], &outside);
                }
                for (int64_t p = 0; p < PARTS; p++) {
                    words packed = {0};
                    for (int e = 0; e < PACK; e++) {
                        amx_take_part(&rest[e], &part);
                        packed |= part << PART_BITS * e;
                    }
                    memcpy(to + (p * TILES + t) * AMX_TILE_BYTES + row * AMX_ROW_BYTES, &packed, sizeof packed);
                }
            }
    return amx_any(&outside);
}

/* --- Multiplying: registers 0 to 3 hold sums --- */

#define AMX_A(part) (a + (part)*TILES * AMX_TILE_BYTES)
#define AMX_B(part) (b + (part)*TILES * AMX_TILE_BYTES)

/* Brings a part of the next step's tiles into the first-level cache. */
static inline void amx_prefetch(const unsigned char *panel, int part)
{
    const unsigned char *next = panel + STEP_BYTES + part * TILES * AMX_TILE_BYTES;
    for (int line = 0; line < TILES * AMX_ROWS; line++)
        __builtin_prefetch(next + (int64_t)line * AMX_ROW_BYTES);
}

#if defined(TILELAB_I32)

/* sum[s] = the products of parts p and q with p + q = s, each 16 x 16. */
static inline void amx_multiply(const unsigned char *a, const unsigned char *b, int64_t steps,
                                real sum[PARTS][AMX_ROWS][AMX_ROWS])
{
    AMX_ZERO(0);
    AMX_ZERO(1);
    AMX_ZERO(2);
    AMX_ZERO(3);
    for (int64_t s = 0; s < steps; s++, a += STEP_BYTES, b += STEP_BYTES) {
        AMX_LOAD(4, AMX_A(0), AMX_ROW_BYTES);
        AMX_LOAD(7, AMX_B(3), AMX_ROW_BYTES);
        AMX_DOT_BYTES(3, 4, 7);
        AMX_LOAD(5, AMX_B(0), AMX_ROW_BYTES);
        AMX_DOT_BYTES(0, 4, 5);
        AMX_LOAD(6, AMX_B(1), AMX_ROW_BYTES);
        AMX_DOT_BYTES(1, 4, 6);
        AMX_LOAD(7, AMX_B(2), AMX_ROW_BYTES);
        AMX_DOT_BYTES(2, 4, 7);
        amx_prefetch(a, 0);
        amx_prefetch(a, 1);
        AMX_LOAD(4, AMX_A(1), AMX_ROW_BYTES);
        AMX_DOT_BYTES(1, 4, 5);
        AMX_DOT_BYTES(2, 4, 6);
        AMX_DOT_BYTES(3, 4, 7);
        amx_prefetch(a, 2);
        amx_prefetch(a, 3);
        AMX_LOAD(4, AMX_A(2), AMX_ROW_BYTES);
        AMX_DOT_BYTES(2, 4, 5);
        AMX_DOT_BYTES(3, 4, 6);
        AMX_LOAD(4, AMX_A(3), AMX_ROW_BYTES);
        AMX_DOT_BYTES(3, 4, 5);
    }
    AMX_STORE(0, sum[0], AMX_ROW_BYTES);
    AMX_STORE(1, sum[1], AMX_ROW_BYTES);
    AMX_STORE(2, sum[2], AMX_ROW_BYTES);
    AMX_STORE(3, sum[3], AMX_ROW_BYTES);
}

#define AMX_SUM(i, j) (sum[0][i][j] + (sum[1][i][j] << 8) + (sum[2][i][j] << 16) + (sum[3][i][j] << 24))

#else

/* The tiles of two parts: 32 x 32 elements of C need two tiles of each. */
#define AMX_LOAD_A(part) \
    AMX_LOAD(4, AMX_A(part), AMX_ROW_BYTES); \
    AMX_LOAD(5, AMX_A(part) + AMX_TILE_BYTES, AMX_ROW_BYTES)
#define AMX_LOAD_B(part) \
    AMX_LOAD(6, AMX_B(part), AMX_ROW_BYTES); \
    AMX_LOAD(7, AMX_B(part) + AMX_TILE_BYTES, AMX_ROW_BYTES)
#define AMX_DOT_PARTS \
    AMX_DOT_BF16(0, 4, 6); \
    AMX_DOT_BF16(1, 4, 7); \
    AMX_DOT_BF16(2, 5, 6); \
    AMX_DOT_BF16(3, 5, 7)

/* Gives the sums of 32 x 32 elements. The next product keeps the parts of one factor, so that seven of twelve pairs of
 * tiles are loaded. The next step's tiles come into the first-level cache while the unit works. */
static inline void amx_multiply(const unsigned char *a, const unsigned char *b, int64_t steps, real sum[PANEL][PANEL])
{
    enum { ROW = PANEL * sizeof(real) };
    AMX_ZERO(0);
    AMX_ZERO(1);
    AMX_ZERO(2);
    AMX_ZERO(3);
    for (int64_t s = 0; s < steps; s++, a += STEP_BYTES, b += STEP_BYTES) {
        AMX_LOAD_A(2);
        AMX_LOAD_B(0);
        AMX_DOT_PARTS;
        amx_prefetch(a, 0);
        AMX_LOAD_A(0);
        AMX_DOT_PARTS;
        amx_prefetch(a, 1);
        AMX_LOAD_B(2);
        AMX_DOT_PARTS;
        amx_prefetch(a, 2);
        AMX_LOAD_B(1);
        AMX_DOT_PARTS;
        amx_prefetch(b, 0);
        AMX_LOAD_A(1);
        AMX_DOT_PARTS;
        amx_prefetch(b, 1);
        AMX_LOAD_B(0);
        AMX_DOT_PARTS;
        amx_prefetch(b, 2);
    }
    AMX_STORE(0, sum[0], ROW);
    AMX_STORE(1, sum[0] + AMX_ROWS, ROW);
    AMX_STORE(2, sum[AMX_ROWS], ROW);
    AMX_STORE(3, sum[AMX_ROWS] + AMX_ROWS, ROW);
}

#define AMX_SUM(i, j) sum[i][j]

#endif

/* Sets or adds to `rows` x `columns` elements of C, whose rows lie ldc elements apart. C comes into the second-level
 * cache while the unit works. The sums start at 0, so that rounding errors do not grow with the whole of C. */
static inline void amx_block(const unsigned char *a, const unsigned char *b, int64_t steps, real *c, int64_t ldc,
                             int64_t rows, int64_t columns, bool set)
{
    enum { LANES_OF_C = AMX_ROW_BYTES / sizeof(real), SECOND_LEVEL = 2 };
#if defined(TILELAB_I32)
    _Alignas(AMX_ROW_BYTES) real sum[PARTS][AMX_ROWS][AMX_ROWS];
#else
    _Alignas(AMX_ROW_BYTES) real sum[PANEL][PANEL];
#endif
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j += LANES_OF_C)
            __builtin_prefetch(c + i * ldc + j, 1, SECOND_LEVEL);
    amx_multiply(a, b, steps, sum);
    if (rows == PANEL && columns == PANEL) /* constant bounds, which a compiler unrolls */
        for (int64_t i = 0; i < PANEL; i++)
            for (int64_t j = 0; j < PANEL; j++)
                c[i * ldc + j] = (set ? 0 : c[i * ldc + j]) + AMX_SUM(i, j);
    else
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < columns; j++)
                c[i * ldc + j] = (set ? 0 : c[i * ldc + j]) + AMX_SUM(i, j);
}

#endif
