/* Triangular solves and products of a recursive factorisation. For CPU kernel files; one thread calls each function.
 * SPDX-License-Identifier: MIT
 *
 * The matrix lies in lines: a line is a row of A, or a column of A where the storage is transposed. A recursive
 * factorisation splits the lines into halves. The first half is factored. Then a triangular solve finishes the first
 * elements of each line of the second half, and a product updates the other elements. At last the second half is
 * factored. The smallest part has LINES_BLOCK lines, and each split lies at a multiple of LINES_BLOCK. */
#ifndef TILELAB_LU_LINES_H
#define TILELAB_LU_LINES_H

#include "common/gemm.h"

/* A line of a block fills whole vectors. */
enum { LINES_LEAST = 8, LINES_BLOCK = LANES > LINES_LEAST ? LANES : LINES_LEAST, LINES_PARTS = LINES_BLOCK / LANES };

/* The bits of elements, as integers of the same width. */
typedef __typeof__(_Generic((real)0, double : (int64_t)0, default : (int32_t)0)) real_bits;
typedef real_bits bits_vector __attribute__((vector_size(VECTOR_BYTES), may_alias));

struct lines {
    real *element;           /* of line 0 */
    int64_t ld;              /* elements from line to line */
    const struct gemm *gemm; /* its buffer of B serves small products */
    bool team;               /* large products are packed, and shared by gemm's threads */
};

static inline real *lines_at(const struct lines *lines, int64_t line, int64_t element)
{
    return lines->element + line * lines->ld + element;
}

/* Where the lines first to last - 1 are split. */
static inline int64_t lines_middle(int64_t first, int64_t last)
{
    return first + gemm_round_up((last - first) / 2, LINES_BLOCK);
}

/* In the lines `line` to `end_line` - 1, subtracts from the elements `from` to `end` - 1 their products with the lines
 * first to middle - 1. */
static inline void lines_update(const struct lines *lines, int64_t first, int64_t middle, int64_t line,
                                int64_t end_line, int64_t from, int64_t end)
{
    enum { THIN = 64 }; /* so short a sum does not repay packing */
    const struct gemm_product product = {
        .m = end_line - line,
        .n = end - from,
        .k = middle - first,
        .a = {lines_at(lines, line, first), lines->ld, 1},
        .b = {lines_at(lines, first, from), lines->ld, 1},
        .c = lines_at(lines, line, from),
        .c_row = lines->ld,
        .update = GEMM_SUBTRACT,
    };
    if (product.m <= 0 || product.n <= 0)
        return;
    if (lines->team && product.k > THIN)
        gemm_multiply(lines->gemm, &product);
    else
        gemm_multiply_small(lines->gemm, &product);
}

/* 0, 1, 2, ... from `first` on. */
static ALWAYS_INLINE bits_vector lines_count(int64_t first)
{
    bits_vector number;
    UNROLL_FOR(lane, 0, LANES)
        number[lane] = (real_bits)first + lane;
    return number;
}

/* Solves x T = x for the elements first to first + LINES_BLOCK - 1 of some lines, where T is the triangle of the lines
 * with these numbers. With `scale`, element l is multiplied by scale[l] too, and T is meant to be scaled so; without,
 * the diagonal of T is 1. A step multiplies a line of T by one element of x. */
static WHOLE_VECTORS void lines_solve_block(const struct lines *lines, int64_t first, const real *scale, int64_t line,
                                            int64_t end_line)
{
    vector triangle[LINES_BLOCK][LINES_PARTS], factor[LINES_PARTS];
    for (int l = 0; l < LINES_BLOCK; l++)
        UNROLL_FOR(v, 0, LINES_PARTS) {
            const bits_vector behind_diagonal = lines_count(v * LANES) > l;
            const vector all = vector_load(lines_at(lines, first + l, first + v * LANES));
            const vector part = (vector)((bits_vector)all & behind_diagonal);
            triangle[l][v] = scale ? part * scale[l] : part;
        }
    if (scale)
        memcpy(factor, scale, sizeof factor);
    for (; line < end_line; line++) {
        loose_vector *element = (loose_vector *)lines_at(lines, line, first);
        vector x[LINES_PARTS];
        UNROLL_FOR(v, 0, LINES_PARTS)
            x[v] = element[v];
        UNROLL_FOR(l, 0, LINES_BLOCK) {
            const real known = x[l / LANES][l % LANES];
            UNROLL_FOR(v, l / LANES, LINES_PARTS)
                x[v] -= known * triangle[l][v];
        }
        UNROLL_FOR(v, 0, LINES_PARTS)
            element[v] = scale ? x[v] * factor[v] : x[v];
    }
}

/* Solves for the elements first to middle - 1 of some lines. */
static void lines_solve(const struct lines *lines, int64_t first, int64_t middle, const real *scale, int64_t line,
                        int64_t end_line)
{
    if (middle - first > LINES_BLOCK) {
        const int64_t half = lines_middle(first, middle);
        lines_solve(lines, first, half, scale, line, end_line);
        lines_update(lines, first, half, line, end_line, half, middle);
        lines_solve(lines, half, middle, scale, line, end_line);
    } else {
        lines_solve_block(lines, first, scale ? scale + first : NULL, line, end_line);
    }
}

#endif
