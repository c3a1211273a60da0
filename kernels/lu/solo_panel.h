/* A panel of P A = L U with partial pivoting, factored by one thread. It is stored transposed, as in team_panel.h, so
 * that a line is a column of A. For CPU kernel files.
 * SPDX-License-Identifier: MIT
 *
 * A team pays a barrier for each column, which takes longer than all other work where columns are short. One thread
 * needs none. It also goes on with a column while the column lies in the first-level cache. */
#ifndef TILELAB_LU_SOLO_PANEL_H
#define TILELAB_LU_SOLO_PANEL_H

#include "team_panel.h"

/* The row of the largest element of a column, from row `from` on; of equal ones, the first. Rows up to the end of the
 * last vector are in the buffer, but do not count. */
static WHOLE_VECTORS int64_t solo_find_largest(const real *column, int64_t from, int64_t rows)
{
    const bits_vector unsigned_bits = (bits_vector){0} + panel_magnitude((real_bits)-1);
    const bits_vector first_row = (bits_vector){0} + (real_bits)from, end_row = (bits_vector){0} + (real_bits)rows;
    const int64_t start = from / LANES * LANES;
    bits_vector row = lines_count(start), most = (bits_vector){0} - 1, found = first_row;
    for (int64_t i = start; i < rows; i += LANES, row += LANES) {
        const bits_vector counts = (row >= first_row) & (row < end_row);
        const bits_vector magnitude = (*(const bits_vector *)(column + i) & unsigned_bits) | ~counts;
        const bits_vector larger = magnitude > most;
        most = (larger & magnitude) | (~larger & most);
        found = (larger & row) | (~larger & found);
    }
    int best = 0;
    for (int lane = 1; lane < LANES; lane++)
        if (most[lane] > most[best] || (most[lane] == most[best] && found[lane] < found[best]))
            best = lane;
    return found[best];
}

/* Divides the elements below row `col` by the pivot. The reciprocal of a denormal pivot may be infinite. */
static void solo_divide(real *column, int64_t col, int64_t rows, real pivot)
{
    const real reciprocal = 1 / pivot;
    if (reciprocal - reciprocal == 0)
        for (int64_t i = col + 1; i < rows; i++)
            column[i] *= reciprocal;
    else
        for (int64_t i = col + 1; i < rows; i++)
            column[i] /= pivot;
}

static inline void solo_swap(real *column, int64_t one, int64_t other)
{
    const real kept = column[one];
    column[one] = column[other];
    column[other] = kept;
}

/* Factors the columns first to last - 1, at most LINES_BLOCK of them. Returns false if a pivot cannot be used. */
static WHOLE_VECTORS bool solo_factor_block(struct panel *panel, int64_t first, int64_t last)
{
    for (int64_t col = first; col < last; col++) {
        real *restrict x = panel_column(panel, col);
        const int64_t chosen = solo_find_largest(x, col, panel->rows);
        const real pivot = x[chosen];
        panel->pivots[panel->first + col] = (int32_t)(panel->first + chosen + 1);
        if (!pivot_usable((double)pivot)) {
            panel->bad_step = panel->first + col;
            panel->pivot = (double)pivot;
            return false;
        }
        for (int64_t j = first; j < last; j++)
            solo_swap(panel_column(panel, j), col, chosen);
        solo_divide(x, col, panel->rows, pivot);
        for (int64_t j = col + 1; j < last; j++) {
            real *restrict y = panel_column(panel, j);
            const real factor = y[col];
            for (int64_t i = col + 1; i < panel->rows; i++)
                y[i] -= x[i] * factor;
        }
    }
    return true;
}

/* Exchanges rows as the pivots of columns first to last - 1 say, in the columns col to end_col - 1. */
static void solo_exchange(const struct panel *panel, int64_t first, int64_t last, int64_t col, int64_t end_col)
{
    enum { TOGETHER = 4 };
    const int32_t *pivot = panel->pivots + panel->first;
    const int64_t before = panel->first + 1; /* what a pivot counts above the panel, and the 1 it counts from */
    for (; col + TOGETHER <= end_col; col += TOGETHER)
        for (int64_t i = first; i < last; i++)
            for (int64_t j = col; j < col + TOGETHER; j++)
                solo_swap(panel_column(panel, j), i, pivot[i] - before);
    for (; col < end_col; col++)
        for (int64_t i = first; i < last; i++)
            solo_swap(panel_column(panel, col), i, pivot[i] - before);
}

/* Factors columns first to last - 1. The columns left of them are done and applied. The last steps exchange rows in
 * columns that no later step reads; with `later`, this is left to the caller. */
static bool solo_factor(struct panel *panel, const struct lines *columns, bool later, int64_t first, int64_t last)
{
    if (last - first <= LINES_BLOCK)
        return solo_factor_block(panel, first, last);
    const int64_t middle = lines_middle(first, last);
    if (!solo_factor(panel, columns, later, first, middle))
        return false;
    solo_exchange(panel, first, middle, middle, last);
    lines_solve(columns, first, middle, NULL, middle, last);
    /* Up to the end of a vector: the buffer has unused elements behind the last row. */
    lines_update(columns, first, middle, middle, last, middle, gemm_round_up(panel->rows, LANES));
    if (!solo_factor(panel, columns, later, middle, last))
        return false;
    if (!later || last < panel->width)
        solo_exchange(panel, middle, last, first, middle);
    return true;
}

#endif
