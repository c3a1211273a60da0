/* How a matrix lies in memory.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_VERIFY_LAYOUT_H
#define TILELAB_VERIFY_LAYOUT_H

#include <stdint.h>

/* What is stored is row-major and contiguous. */
enum layout {
    LAYOUT_PLAIN,
    LAYOUT_TRANSPOSED, /* the transpose of the matrix is stored */
    LAYOUT_LOWER,      /* the matrix is symmetric, and only its stored lower triangle counts */
};
/* The index at which element (i, j) of a rows x cols matrix is stored. */
static inline int64_t layout_index(enum layout layout, int64_t rows, int64_t cols, int64_t i, int64_t j)
{
    if (layout == LAYOUT_TRANSPOSED)
        return j * rows + i;
    return layout == LAYOUT_LOWER && j > i ? j * cols + i : i * cols + j;
}

#endif
