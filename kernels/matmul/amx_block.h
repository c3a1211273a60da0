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

/* --- Parts --- */

#if defined(TILELAB_I32)

static inline uint32_t amx_part(real *rest)
{
    const uint32_t part = *rest & 0xff;
    *rest >>= PART_BITS;
    return part;
}

static inline int amx_is_outside(real element)
{
    (void)element;
    return 0;
}

#else

/* Gives the BF16 number nearest to *rest, as 16 bits, and leaves the exact difference. The build for f64 is never
 * run. */
static inline uint32_t amx_part(real *rest)
{
    const float number = (float)*rest;
    float rounded;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000;
    memcpy(&rounded, &bits, sizeof rounded);
    *rest = number - rounded;
    return bits >> 16;
}

/* The unit takes denormal numbers for 0. If elements are 0 or lie between 2^-40 and 2^40, no product of their last bits
 * is denormal, and no sum is infinite. The comparison is false for NaN. */
static inline int amx_is_outside(real element)
{
    const real size = element < 0 ? -element : element;
    return !((size >= (real)0x1p-40 && size <= (real)0x1p40) || size == 0);
}

#endif

/* --- Packing. Both functions return whether an element is outside of what the parts can hold. --- */

/* Packs `rows` rows of A, each with `depth` elements. */
static inline int amx_pack_a(const real *a, int64_t lda, int64_t rows, int64_t depth, unsigned char *to)
{
    int outside = 0;
    for (int64_t l = 0; l < depth; l += STEP, to += STEP_BYTES)
        for (int64_t i = 0; i < PANEL; i++) {
            real rest[STEP] = {0};
            if (i < rows)
                memcpy(rest, a + i * lda + l, (size_t)(depth - l < STEP ? depth - l : STEP) * sizeof *a);
            for (int e = 0; e < STEP; e++)
                outside |= amx_is_outside(rest[e]);
            for (int p = 0; p < PARTS; p++) {
                amx_number part[STEP];
                for (int e = 0; e < STEP; e++)
                    part[e] = (amx_number)amx_part(&rest[e]);
                memcpy(to + p * TILES * AMX_TILE_BYTES + i * AMX_ROW_BYTES, part, sizeof part);
            }
        }
    return outside;
}

/* Splits the words of a row of tiles of B: word w has rest[0][w], rest[1][w] and so on. The words of part p go to
 * `to` + p TILES tiles. */
static inline int amx_pack_words(real rest[PACK][AMX_ROWS], unsigned char *to)
{
    int outside = 0;
    for (int e = 0; e < PACK; e++)
        for (int w = 0; w < AMX_ROWS; w++)
            outside |= amx_is_outside(rest[e][w]);
    for (int p = 0; p < PARTS; p++) {
        uint32_t word[AMX_ROWS] = {0};
        for (int e = 0; e < PACK; e++)
            for (int w = 0; w < AMX_ROWS; w++)
                word[w] |= amx_part(&rest[e][w]) << PART_BITS * e;
        memcpy(to + p * TILES * AMX_TILE_BYTES, word, sizeof word);
    }
    return outside;
}

/* Packs `columns` columns of B, each with `depth` elements. */
static inline int amx_pack_b(const real *b, int64_t ldb, int64_t columns, int64_t depth, unsigned char *to)
{
    int outside = 0;
    for (int64_t l = 0; l < depth; l += STEP, to += STEP_BYTES)
        for (int row = 0; row < AMX_ROWS; row++)
            for (int64_t t = 0; t < TILES; t++) {
                real rest[PACK][AMX_ROWS] = {{0}};
                const int64_t left = columns - t * AMX_ROWS, count = left < 0 ? 0 : left < AMX_ROWS ? left : AMX_ROWS;
                for (int64_t e = 0; e < PACK && l + row * PACK + e < depth; e++)
                    memcpy(rest[e], b + (l + row * PACK + e) * ldb + t * AMX_ROWS, (size_t)count * sizeof *b);
                outside |= amx_pack_words(rest, to + t * AMX_TILE_BYTES + row * AMX_ROW_BYTES);
            }
    return outside;
}

/* --- Multiplying: registers 0 to 3 hold sums --- */

#define AMX_A(part) (a + (part)*TILES * AMX_TILE_BYTES)
#define AMX_B(part) (b + (part)*TILES * AMX_TILE_BYTES)

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
        AMX_LOAD(4, AMX_A(1), AMX_ROW_BYTES);
        AMX_DOT_BYTES(1, 4, 5);
        AMX_DOT_BYTES(2, 4, 6);
        AMX_DOT_BYTES(3, 4, 7);
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

/* Sets or adds to `rows` x `columns` elements of C, whose rows lie ldc elements apart. */
static inline void amx_block(const unsigned char *a, const unsigned char *b, int64_t steps, real *c, int64_t ldc,
                             int64_t rows, int64_t columns, bool set)
{
    _Alignas(AMX_ROW_BYTES) real sum[PARTS][AMX_ROWS][AMX_ROWS];
    amx_multiply(a, b, steps, sum);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            const real before = set ? 0 : c[i * ldc + j];
            c[i * ldc + j] = before + sum[0][i][j] + (sum[1][i][j] << 8) + (sum[2][i][j] << 16) + (sum[3][i][j] << 24);
        }
}

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
 * tiles are loaded. */
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
        AMX_LOAD_A(0);
        AMX_DOT_PARTS;
        AMX_LOAD_B(2);
        AMX_DOT_PARTS;
        AMX_LOAD_B(1);
        AMX_DOT_PARTS;
        AMX_LOAD_A(1);
        AMX_DOT_PARTS;
        AMX_LOAD_B(0);
        AMX_DOT_PARTS;
    }
    AMX_STORE(0, sum[0], ROW);
    AMX_STORE(1, sum[0] + AMX_ROWS, ROW);
    AMX_STORE(2, sum[AMX_ROWS], ROW);
    AMX_STORE(3, sum[AMX_ROWS] + AMX_ROWS, ROW);
}

/* Sets or adds to `rows` x `columns` elements of C, whose rows lie ldc elements apart. The unit rounds after each term,
 * so that the errors of long sums would grow: each block's sums start at 0, and ordinary instructions add them to C. */
static inline void amx_block(const unsigned char *a, const unsigned char *b, int64_t steps, real *c, int64_t ldc,
                             int64_t rows, int64_t columns, bool set)
{
    _Alignas(AMX_ROW_BYTES) real sum[PANEL][PANEL];
    amx_multiply(a, b, steps, sum);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            c[i * ldc + j] = set ? sum[i][j] : c[i * ldc + j] + sum[i][j];
}

#endif

#endif
