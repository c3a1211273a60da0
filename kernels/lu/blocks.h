/* The four operations on blocks that all blocked variants share. Matrices are row-major, with n elements from row to
 * row. The blocks of one call belong to one matrix and do not overlap.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_BLOCKS_H
#define TILELAB_LU_BLOCKS_H

#include "pivot.h"

static inline int64_t lu_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A00 = L00 U00 (size x size), in place. Returns the first step whose pivot cannot be used, or -1. */
static inline int64_t lu_factor_block(int64_t size, int64_t n, real *a00)
{
    for (int64_t k = 0; k < size; k++) {
        const real *restrict pivot = a00 + k * n;
        if (!pivot_usable((double)pivot[k]))
            return k;
        for (int64_t i = k + 1; i < size; i++) {
            real *restrict row = a00 + i * n;
            const real factor = row[k] / pivot[k];
            row[k] = factor;
            for (int64_t j = k + 1; j < size; j++)
                row[j] -= factor * pivot[j];
        }
    }
    return -1;
}

/* L10 = A10 U00^-1 (rows x size), in place. */
static inline void lu_solve_left_block(int64_t rows, int64_t size, int64_t n, const real *u00, real *a10)
{
    for (int64_t i = 0; i < rows; i++) {
        real *restrict row = a10 + i * n;
        for (int64_t k = 0; k < size; k++) {
            const real *restrict pivot = u00 + k * n;
            const real factor = row[k] / pivot[k];
            row[k] = factor;
            for (int64_t j = k + 1; j < size; j++)
                row[j] -= factor * pivot[j];
        }
    }
}

/* U01 = L00^-1 A01 (size x cols), in place. */
static inline void lu_solve_upper_block(int64_t size, int64_t cols, int64_t n, const real *l00, real *a01)
{
    for (int64_t i = 1; i < size; i++) {
        real *restrict row = a01 + i * n;
        for (int64_t k = 0; k < i; k++) {
            const real *restrict above = a01 + k * n;
            const real factor = l00[i * n + k];
            for (int64_t j = 0; j < cols; j++)
                row[j] -= factor * above[j];
        }
    }
}

/* A11 -= L10 U01 (rows x cols; each element subtracts `size` products). */
static inline void lu_update_block(int64_t rows, int64_t cols, int64_t size, int64_t n, const real *l10,
                                   const real *u01, real *a11)
{
    for (int64_t i = 0; i < rows; i++) {
        real *restrict row = a11 + i * n;
        for (int64_t k = 0; k < size; k++) {
            const real *restrict above = u01 + k * n;
            const real factor = l10[i * n + k];
            for (int64_t j = 0; j < cols; j++)
                row[j] -= factor * above[j];
        }
    }
}

#endif
