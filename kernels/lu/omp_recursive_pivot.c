/* P A = L U in place with partial pivoting, in panels of `tile` columns, products by packed tiles.
 * A (n x n), row-major and contiguous; pivots counted from 1, as LAPACK has them; any n and tile.
 * A panel is turned, so that its columns are contiguous, and split in halves down to a few columns. While
 * one thread factors the next panel, the others update what lies right of it (look-ahead).
 * For general matrices; a column of zeros ends it. Against omp-depend: pivots, and products at full speed.
 * Source: tilelab, after Toledo (1997) and LAPACK's getrf.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "packed.h"
#include "pivot.h"

enum { GROUP = 2 * NR, LEFT_COLUMNS = 512, PANEL_ROWS = 64, UPDATE_ROWS = 16 * MR };

struct work {
    int64_t n, tile;
    real *a;
    int32_t *pivots;
    /* The panel's columns from its first row on, a row here each; its place in A. */
    real *panel;
    int64_t ld, first, width;
    real *left;           /* L below the panel's square: slivers of MR rows */
    real *upper;          /* U right of it: slivers of NR columns */
    struct packed sliver; /* room for the edge of a small product */
    int64_t stuck;        /* step without a pivot, or -1 */
    double pivot;
};

static inline real *column(const struct work *work, int64_t col)
{
    return work->panel + col * work->ld;
}

/* --- A panel, by one thread --- */

/* Where the largest of count >= 1 elements is; one that is no number counts as larger than all. Magnitudes
 * are in the order of their bits as integers, of which compilers find the largest with vectors. */
static int64_t find_largest(const real *element, int64_t count)
{
    typedef __typeof__(_Generic((real)0, double : (int64_t)0, default : (int32_t)0)) bits;
    enum { BLOCK = 64 };
    const bits magnitude = (bits)(((uint64_t)1 << (8 * sizeof(bits) - 1)) - 1);
    bits largest = -1, value[BLOCK];
    int64_t found = 0;
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t size = packed_min(BLOCK, count - first);
        bits most = -1;
        memcpy(value, element + first, (size_t)size * sizeof *value);
        for (int64_t i = 0; i < size; i++) {
            value[i] &= magnitude;
            most = value[i] > most ? value[i] : most;
        }
        if (most <= largest)
            continue;
        largest = most;
        found = first;
        while (value[found - first] != largest)
            found++;
    }
    return found;
}

static bool factor_column(struct work *work, int64_t col, int64_t last, int64_t rows)
{
    real *x = column(work, col);
    const int64_t chosen = col + find_largest(x + col, rows - col);
    const real pivot = x[chosen];
    work->pivots[work->first + col] = (int32_t)(work->first + chosen + 1);
    if (!pivot_usable((double)pivot)) {
        work->stuck = work->first + col;
        work->pivot = (double)pivot;
        return false;
    }
    for (int64_t j = 0; j < work->width; j++) {
        real *other = column(work, j);
        const real kept = other[col];
        other[col] = other[chosen];
        other[chosen] = kept;
    }
    for (int64_t i = col + 1; i < rows; i++)
        x[i] /= pivot;
    for (int64_t j = col + 1; j < last; j++) {
        real *restrict y = column(work, j);
        const real factor = y[col];
        for (int64_t i = col + 1; i < rows; i++)
            y[i] -= x[i] * factor;
    }
    return true;
}

/* Columns first to last - 1 of the panel; those left of them are done, and have changed these. */
static bool factor_columns(struct work *work, int64_t first, int64_t last, int64_t rows)
{
    enum { FEW = 4 };
    if (last - first <= FEW) {
        for (int64_t col = first; col < last; col++)
            if (!factor_column(work, col, last, rows))
                return false;
        return true;
    }
    const int64_t middle = first + (last - first) / 2, below = rows - middle;
    if (!factor_columns(work, first, middle, rows))
        return false;
    for (int64_t j = middle; j < last; j++) {
        real *restrict y = column(work, j);
        for (int64_t l = first; l < middle; l++) {
            const real *x = column(work, l);
            const real factor = y[l];
            for (int64_t i = l + 1; i < middle; i++)
                y[i] -= x[i] * factor;
        }
    }
    /* Turned: (right half)' -= U' L'. */
    packed_multiply_small(&work->sliver,
                          &(struct packed_product){.m = last - middle,
                                                   .n = below,
                                                   .k = middle - first,
                                                   .a = {column(work, middle) + first, work->ld, 1},
                                                   .b = {column(work, first) + middle, work->ld, 1},
                                                   .c = column(work, middle) + middle,
                                                   .c_row = work->ld,
                                                   .update = UPDATE_SUBTRACT});
    return factor_columns(work, middle, last, rows);
}

/* to (cols x rows) = the transpose of from (rows x cols). */
static void turn(int64_t rows, int64_t cols, const real *from, int64_t from_row, real *to,
                 int64_t to_row)
{
    enum { QUAD = 4 };
    const int64_t whole_rows = rows / QUAD * QUAD, whole_cols = cols / QUAD * QUAD;
    for (int64_t i = 0; i < whole_rows; i += QUAD)
        for (int64_t j = 0; j < whole_cols; j += QUAD)
            pack_quad(from + i * from_row + j, from_row, (int)to_row, to + j * to_row + i);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = i < whole_rows ? whole_cols : 0; j < cols; j++)
            to[j * to_row + i] = from[i * from_row + j];
}

static void factor_panel(struct work *work, int64_t first)
{
    const int64_t n = work->n, rows = n - first;
    work->first = first;
    work->width = packed_min(work->tile, rows);
    turn(rows, work->width, work->a + first * n + first, n, work->panel, work->ld);
    factor_columns(work, 0, work->width, rows);
}

/* --- What a panel does to the rest, by all threads --- */

static void exchange_rows(const struct work *work, int64_t first_col, int64_t cols)
{
    for (int64_t i = work->first; i < work->first + work->width; i++) {
        real *restrict one = work->a + i * work->n + first_col;
        real *restrict other = work->a + (work->pivots[i] - 1) * work->n + first_col;
        if (work->pivots[i] - 1 == i)
            continue;
        for (int64_t j = 0; j < cols; j++) {
            const real kept = one[j];
            one[j] = other[j];
            other[j] = kept;
        }
    }
}

/* x = L \ x for a sliver of NR columns: tiles of rows from those above, then rows within the tile. */
static WHOLE_VECTORS void solve_sliver(const struct work *work, real *x)
{
    const int64_t width = work->width;
    for (int64_t first = 0; first < width;) {
        const int rows = tile_rows(width - first);
        real *tile = x + first * NR;
        tile_of_rows(rows, false, first, work->panel + first, 1, work->ld, x, NR,
                     &(struct tile_target){tile, NR, NR, UPDATE_SUBTRACT});
        for (int i = 1; i < rows; i++)
            for (int l = 0; l < i; l++) {
                const real factor = column(work, first + l)[first + i];
                for (int j = 0; j < NR; j++)
                    tile[i * NR + j] -= factor * tile[l * NR + j];
            }
        first += rows;
    }
}

/* U right of the panel, columns first_col on: in A, and packed. */
static void make_upper(const struct work *work, int64_t first_col, int64_t cols)
{
    const int64_t n = work->n, width = work->width, after = work->first + width;
    exchange_rows(work, first_col, cols);
    for (int64_t j = first_col; j < first_col + cols; j += NR) {
        const int64_t count = packed_min(NR, first_col + cols - j);
        real *x = work->upper + (j - after) * width, *a = work->a + work->first * n + j;
        pack_sliver(NR, count, width, a, 1, n, x);
        for (int64_t l = 0; l < width && count < NR; l++)
            memset(x + l * NR + count, 0, (size_t)(NR - count) * sizeof *x);
        solve_sliver(work, x);
        for (int64_t l = 0; l < width; l++)
            memcpy(a + l * n, x + l * NR, (size_t)count * sizeof *x);
    }
}

/* Leaves the panel in A and packed, and makes U; all threads wait at the end. */
static void apply_panel(const struct work *work)
{
    const int64_t n = work->n, first = work->first, width = work->width, after = first + width;
#pragma omp for schedule(dynamic) nowait
    for (int64_t j = after; j < n; j += GROUP)
        make_upper(work, j, packed_min(GROUP, n - j));
#pragma omp for schedule(dynamic) nowait
    for (int64_t j = 0; j < first; j += LEFT_COLUMNS)
        exchange_rows(work, j, packed_min(LEFT_COLUMNS, first - j));
#pragma omp for schedule(dynamic) nowait
    for (int64_t i = first; i < n; i += PANEL_ROWS)
        turn(width, packed_min(PANEL_ROWS, n - i), work->panel + i - first, work->ld,
             work->a + i * n + first, n);
#pragma omp for schedule(dynamic)
    for (int64_t i = after; i < n; i += MR)
        pack_sliver(MR, packed_min(MR, n - i), width, work->panel + i - first, 1, work->ld,
                    work->left + (i - after) * width);
    /* barrier: the packed factors are whole, and the panel's memory is free */
}

/* A -= L U for rows first_row on and columns first_col to end_col; each is `after` plus some slivers. */
static void update_tiles(const struct work *work, int64_t after, int64_t depth, int64_t first_row,
                         int64_t first_col, int64_t end_col)
{
    const int64_t n = work->n, end_row = packed_min(first_row + UPDATE_ROWS, n);
    for (int64_t j = first_col; j < end_col; j += NR)
        for (int64_t i = first_row; i < end_row;) {
            const int rows = tile_rows(end_row - i);
            const int64_t sliver = (i - after) / MR * MR;
            const struct tile_target to = {work->a + i * n + j, n, packed_min(NR, end_col - j),
                                           UPDATE_SUBTRACT};
            tile_packed(rows, depth, work->left + sliver * depth + (i - after - sliver),
                        work->upper + (j - after) * depth, &to);
            i += rows;
        }
}

/* All threads call this, at the same steps. */
static void factorise(struct work *work)
{
    const int64_t n = work->n;
#pragma omp single
    factor_panel(work, 0);
    while (work->stuck < 0) {
        const int64_t depth = work->width, after = work->first + depth;
        apply_panel(work);
        if (after == n)
            return;
        /* Slivers start at `after`: the next panel ends where one does, or behind its own end. */
        const int64_t next = packed_min(after + packed_round_up(work->tile, NR), n);
#pragma omp for schedule(dynamic)
        for (int64_t i = after; i < n; i += UPDATE_ROWS)
            update_tiles(work, after, depth, i, after, next);
            /* barrier: the next panel is up to date */
#pragma omp single nowait
        factor_panel(work, after);
#pragma omp for collapse(2) schedule(dynamic)
        for (int64_t j = next; j < n; j += GROUP)
            for (int64_t i = after; i < n; i += UPDATE_ROWS)
                update_tiles(work, after, depth, i, j, packed_min(j + GROUP, n));
        /* barrier: all is up to date, and the next panel is factored */
    }
}

static void release(struct job *job)
{
    struct work *work = job->state;
    free(work->panel);
    free(work->left);
    free(work->upper);
    free(work->sliver.b);
    free(work);
}

static int prepare(struct job *job)
{
    const int64_t n = job->cell->n, tile = packed_min(job->cell->tile, n);
    enum { LINE = 64 };
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return job_fail(job, "out of memory for panels");
    work->n = n;
    work->tile = tile;
    /* An odd number of lines: columns of the panel do not fall into the same sets of the caches. */
    work->ld = (packed_round_up(n, 2 * LINE) / LINE | 1) * LINE;
    work->panel = packed_buffer(tile * work->ld);
    work->left = packed_buffer(packed_round_up(n, MR) * tile);
    work->upper = packed_buffer(packed_round_up(n, NR) * tile);
    work->sliver.b = packed_buffer(tile * NR);
    job->state = work;
    if (work->panel && work->left && work->upper && work->sliver.b)
        return 0;
    release(job);
    return job_fail(job, "out of memory for panels");
}

static int run(struct job *job)
{
    struct work *work = job->state;
    work->a = job->operand[0];
    work->pivots = job->operand[1];
    work->stuck = -1;
#pragma omp parallel default(none) shared(work)
    factorise(work);
    return work->stuck < 0 ? 0 : pivot_fail(job, work->stuck, work->pivot);
}

VARIANT(lu, omp_recursive_pivot) = {
    .summary = "partial pivoting, recursive panels ahead of packed updates",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(threads) | HONOURS(tile),
    .defaults = {.tile = 128},
    .pivoting = PIVOTING_PARTIAL,
    .typical_gflops = 40,
    .prepare = prepare,
    .run = run,
    .release = release,
};
