/* A panel of P A = L U with partial pivoting, factored by a team of threads. Each member of the team owns some rows,
 * which stay in its cache (after Castaldo and Whaley). For CPU kernel files, inside one parallel region.
 * SPDX-License-Identifier: MIT
 *
 * The panel is stored transposed, so that its columns are contiguous. Toledo (1997) splits a panel into halves, down to
 * PANEL_FEW columns. The left half is factored first. Then a triangular solve and a product update the right half,
 * which is factored last.
 *
 * To find the pivot of a column, each member posts its row with the largest element in this column: the row's elements
 * in the few columns. The owner of the row on the diagonal posts that row too. One barrier follows. Then the pivot's
 * row and the row on the diagonal change places. The owner of each place writes it from the posts, so that nobody
 * writes another member's rows. */
#ifndef TILELAB_LU_TEAM_PANEL_H
#define TILELAB_LU_TEAM_PANEL_H

#include "lines.h"
#include "pivot.h"
#include "common/spin_wait.h"

#include <stdatomic.h>

enum { PANEL_FEW = 4 }; /* so few columns are not split any more */

/* What a member tells the others at a barrier. */
struct panel_post {
    _Alignas(128) _Atomic int64_t barrier; /* number of the last barrier that the member has reached */
    int64_t row;                           /* the member's row with the largest element; -1: it has no row left */
    real largest[PANEL_FEW];               /* elements of this row */
    real diagonal[PANEL_FEW];              /* elements of the row on the diagonal, if the member owns it */
};

struct panel {
    int64_t first, rows, width; /* the panel is rows x width; its square begins at A(first, first) */
    real *element;              /* columns, ld elements apart: an odd number of cache lines */
    int64_t ld;
    int32_t *pivots;          /* row numbers in A, counted from 1 */
    int threads;              /* number of threads of the job */
    int64_t members, share;   /* number of threads in the team, and rows of each; the last may have fewer */
    struct panel_post *posts; /* two for each thread: for even and for odd barriers */
    struct gemm *slivers;     /* one for each thread: buffers for the edges of small products */
    int64_t bad_step;         /* first step whose pivot cannot be used, or -1 */
    double pivot;
};

/* One member's view of the panel. */
struct panel_member {
    struct panel *panel;
    int64_t number, barrier;
    int64_t first_row, end_row;
};

static inline real *panel_column(const struct panel *panel, int64_t col)
{
    return panel->element + col * panel->ld;
}

static void panel_release(struct panel *panel)
{
    for (int i = 0; panel->slivers && i < panel->threads; i++)
        free(panel->slivers[i].b);
    free(panel->slivers);
    free(panel->posts);
    free(panel->element);
}

/* Makes room for panels of n x width elements, and for teams of as many threads as OpenMP would start here. Returns
 * false if memory is short. In either case the caller calls panel_release(). */
static bool panel_prepare(struct panel *panel, int64_t n, int64_t width)
{
    enum { LINE = 64 / sizeof(real) };
    const size_t threads = (size_t)omp_get_max_threads();
    bool whole;
    panel->threads = (int)threads;
    panel->ld = (gemm_round_up(n, 2 * LINE) / LINE | 1) * LINE;
    panel->element = gemm_buffer(width * panel->ld);
    panel->posts = aligned_alloc(_Alignof(struct panel_post), 2 * threads * sizeof *panel->posts);
    panel->slivers = calloc(threads, sizeof *panel->slivers);
    whole = panel->element && panel->posts && panel->slivers;
    for (size_t i = 0; whole && i < threads; i++)
        whole = (panel->slivers[i].b = gemm_buffer(width * NR)) != NULL;
    return whole;
}

/* Begins a factorisation. One thread calls this. */
static void panel_begin(struct panel *panel, int32_t *pivots)
{
    panel->pivots = pivots;
    panel->bad_step = -1;
    for (int i = 0; i < 2 * panel->threads; i++)
        atomic_init(&panel->posts[i].barrier, 0);
}

/* --- Barriers of the team --- */

static inline struct panel_post *panel_post_of(const struct panel_member *member, int64_t number, int64_t barrier)
{
    return &member->panel->posts[2 * number + barrier % 2];
}

/* Waits until all members have come here. Each then sees what the others wrote before. The posts of this barrier stay
 * valid until the next barrier but one. */
static void panel_barrier(struct panel_member *member)
{
    const int64_t barrier = ++member->barrier;
    atomic_store_explicit(&panel_post_of(member, member->number, barrier)->barrier, barrier, memory_order_release);
    for (int64_t other = 0; other < member->panel->members; other++) {
        const struct panel_post *post = panel_post_of(member, other, barrier);
        int turns = 0;
        while (atomic_load_explicit(&post->barrier, memory_order_acquire) < barrier)
            spin_wait(&turns);
    }
}

/* --- Pivots --- */

/* The bits of a number without its sign. They compare as integers in the order of magnitudes, with NaN above all. A
 * compiler finds the largest of integers with vector instructions. */
static inline real_bits panel_magnitude(real_bits value)
{
    return value & (real_bits)(((uint64_t)1 << (8 * sizeof(real_bits) - 1)) - 1);
}

static inline real_bits panel_magnitude_of(real element)
{
    real_bits value;
    memcpy(&value, &element, sizeof value);
    return panel_magnitude(value);
}

/* The index of the largest of count >= 1 elements; of equal ones, the first. */
static int64_t panel_find_largest(const real *element, int64_t count)
{
    enum { BLOCK = 64 };
    real_bits largest = -1, value[BLOCK];
    int64_t found = 0;
    for (int64_t first = 0; first < count; first += BLOCK) {
        const int64_t size = gemm_min(BLOCK, count - first);
        real_bits most = -1;
        memcpy(value, element + first, (size_t)size * sizeof *value);
        for (int64_t i = 0; i < size; i++) {
            value[i] = panel_magnitude(value[i]);
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

static inline bool panel_has(const struct panel_member *member, int64_t row)
{
    return row >= member->first_row && row < member->end_row;
}

static void panel_copy_row(const struct panel *panel, int64_t row, int64_t first, int64_t last, real *to)
{
    for (int64_t j = first; j < last; j++)
        to[j - first] = panel_column(panel, j)[row];
}

static void panel_set_row(const struct panel *panel, int64_t row, int64_t first, int64_t last, const real *from)
{
    for (int64_t j = first; j < last; j++)
        panel_column(panel, j)[row] = from[j - first];
}

/* Finds the post with the pivot of a column. Of equal elements, the first row wins, as with one thread. */
static const struct panel_post *panel_elect(struct panel_member *member, int64_t col, int64_t first, int64_t last)
{
    const struct panel *panel = member->panel;
    const int64_t from = col > member->first_row ? col : member->first_row;
    struct panel_post *mine = panel_post_of(member, member->number, member->barrier + 1);
    const struct panel_post *best = NULL;
    mine->row = -1;
    if (from < member->end_row) {
        mine->row = from + panel_find_largest(panel_column(panel, col) + from, member->end_row - from);
        panel_copy_row(panel, mine->row, first, last, mine->largest);
    }
    if (panel_has(member, col))
        panel_copy_row(panel, col, first, last, mine->diagonal);
    panel_barrier(member);
    for (int64_t other = 0; other < panel->members; other++) {
        const struct panel_post *post = panel_post_of(member, other, member->barrier);
        if (post->row >= 0 &&
            (!best || panel_magnitude_of(post->largest[col - first]) > panel_magnitude_of(best->largest[col - first])))
            best = post;
    }
    return best;
}

/* --- Columns --- */

/* Does the step of column `col` within the columns first to last - 1. Returns false if the pivot cannot be used. */
static bool panel_factor_column(struct panel_member *member, int64_t col, int64_t first, int64_t last)
{
    struct panel *panel = member->panel;
    const struct panel_post *best = panel_elect(member, col, first, last);
    const real pivot = best->largest[col - first];
    if (member->number == 0) {
        panel->pivots[panel->first + col] = (int32_t)(panel->first + best->row + 1);
        if (!pivot_usable((double)pivot)) {
            panel->bad_step = panel->first + col;
            panel->pivot = (double)pivot;
        }
    }
    if (!pivot_usable((double)pivot))
        return false;
    if (panel_has(member, best->row))
        panel_set_row(panel, best->row, first, last,
                      panel_post_of(member, col / panel->share, member->barrier)->diagonal);
    if (panel_has(member, col))
        panel_set_row(panel, col, first, last, best->largest);

    real *restrict x = panel_column(panel, col);
    const int64_t from = col + 1 > member->first_row ? col + 1 : member->first_row;
    for (int64_t i = from; i < member->end_row; i++)
        x[i] /= pivot;
    for (int64_t j = col + 1; j < last; j++) {
        real *restrict y = panel_column(panel, j);
        const real factor = best->largest[j - first];
        for (int64_t i = from; i < member->end_row; i++)
            y[i] -= x[i] * factor;
    }
    return true;
}

/* Exchanges rows as the pivots of columns first to last - 1 say, in the member's share of all other columns. */
static void panel_exchange(const struct panel_member *member, int64_t first, int64_t last)
{
    const struct panel *panel = member->panel;
    for (int64_t j = member->number; j < panel->width; j += panel->members) {
        real *y = panel_column(panel, j);
        for (int64_t col = first; col < last && !(j >= first && j < last); col++) {
            const int64_t chosen = panel->pivots[panel->first + col] - 1 - panel->first;
            const real kept = y[col];
            y[col] = y[chosen];
            y[chosen] = kept;
        }
    }
}

/* Updates the columns middle to last - 1 by the columns first to middle - 1: a triangular solve makes U, then a product
 * updates the rows below. */
static void panel_update(struct panel_member *member, int64_t first, int64_t middle, int64_t last)
{
    const struct panel *panel = member->panel;
    for (int64_t j = middle + member->number; j < last; j += panel->members) {
        real *restrict y = panel_column(panel, j);
        for (int64_t l = first; l < middle; l++) {
            const real *x = panel_column(panel, l);
            const real factor = y[l];
            for (int64_t i = l + 1; i < middle; i++)
                y[i] -= x[i] * factor;
        }
    }
    panel_barrier(member); /* U is complete before anyone multiplies by it */
    const int64_t from = middle > member->first_row ? middle : member->first_row;
    if (from >= member->end_row)
        return;
    /* The storage is transposed: (right half)' -= U' L'. */
    gemm_multiply_small(&panel->slivers[member->number],
                        &(struct gemm_product){.m = last - middle,
                                               .n = member->end_row - from,
                                               .k = middle - first,
                                               .a = {panel_column(panel, middle) + first, panel->ld, 1},
                                               .b = {panel_column(panel, first) + from, panel->ld, 1},
                                               .c = panel_column(panel, middle) + from,
                                               .c_row = panel->ld,
                                               .update = GEMM_SUBTRACT});
}

/* Factors columns first to last - 1. The columns left of them are done and applied. Returns false, to all members, if a
 * pivot cannot be used. */
static bool panel_factor_columns(struct panel_member *member, int64_t first, int64_t last)
{
    if (last - first > PANEL_FEW) {
        const int64_t middle = first + (last - first) / 2;
        if (!panel_factor_columns(member, first, middle))
            return false;
        panel_update(member, first, middle, last);
        return panel_factor_columns(member, middle, last);
    }
    for (int64_t col = first; col < last; col++)
        if (!panel_factor_column(member, col, first, last))
            return false;
    panel_barrier(member); /* these columns are complete, and nobody works on others, before rows are exchanged */
    panel_exchange(member, first, last);
    panel_barrier(member); /* all rows are in their places before anyone goes on with them */
    return true;
}

/* Makes `to` (cols x rows) the transpose of `from` (rows x cols). The storage of A is one of them. Its rows may be a
 * power of two elements apart, so that a column of A finds place in few sets of a cache. Hence the inner loop follows
 * the rows of A: those of `from`, or with `back`, those of `to`. */
static ALWAYS_INLINE void panel_transpose_along(const bool back, int64_t rows, int64_t cols, const real *from,
                                                int64_t from_row, real *to, int64_t to_row)
{
    enum { QUAD = 4 };
    const int64_t whole_rows = rows / QUAD * QUAD, whole_cols = cols / QUAD * QUAD;
    const int64_t outer = back ? whole_cols : whole_rows, inner = back ? whole_rows : whole_cols;
    for (int64_t x = 0; x < outer; x += QUAD)
        for (int64_t y = 0; y < inner; y += QUAD) {
            const int64_t i = back ? y : x, j = back ? x : y;
            gemm_pack_quad(from + i * from_row + j, from_row, (int)to_row, to + j * to_row + i);
        }
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = i < whole_rows ? whole_cols : 0; j < cols; j++)
            to[j * to_row + i] = from[i * from_row + j];
}

static void panel_transpose(int64_t rows, int64_t cols, const real *a, int64_t a_row, real *to, int64_t to_row)
{
    panel_transpose_along(false, rows, cols, a, a_row, to, to_row);
}

static void panel_transpose_back(int64_t rows, int64_t cols, const real *from, int64_t from_row, real *a, int64_t a_row)
{
    panel_transpose_along(true, rows, cols, from, from_row, a, a_row);
}

#endif
