/* P A = L U in place with partial pivoting, in panels of `tile` columns; gemm.h computes the products.
 * A (n x n) is row-major and contiguous; pivots count from 1, as in LAPACK; n and tile are any.
 * A team of threads factors the next panel (team_panel.h) while the others update what lies right of it: look-ahead.
 * One thread factors short panels and small matrices (solo_panel.h). A column of zeros ends the run with an error.
 * Differs from omp-recursive: pivots, look-ahead.
 * Source: tilelab, after Toledo (1997) and LAPACK's getrf.
 * SPDX-License-Identifier: MIT */
#include "solo_panel.h"

enum { GROUP = 2 * NR, LEFT_COLUMNS = 512, PANEL_ROWS = 64, UPDATE_ROWS = 16 * MR };

struct work {
    int64_t n, tile;
    bool alone; /* the matrix is one panel of one thread */
    real *a;
    struct panel panel;
    real *left;  /* L below the panel's square, in slivers of MR rows */
    real *upper; /* U right of the panel's square, in slivers of NR columns */
};

/* --- The panel, by a team of threads --- */

/* Places the panel that begins at column `first` and chooses its team; one thread calls this. All threads factor the
 * first panel, if each gets enough rows. Meanwhile a later panel is factored, the other threads update the rest. Its
 * team is therefore at most half of the threads, and is just large enough to end together with the others. An element
 * of the panel takes about COST times as long as one of the rest. */
static void place_panel(struct work *work, int64_t first)
{
    enum { COST = 4, LEAST_ROWS = 64 };
    struct panel *panel = &work->panel;
    /* OpenMP may have started fewer threads than the job asked for. */
    const int64_t threads = omp_get_num_threads(), rows = work->n - first;
    const int64_t team = threads * COST * work->tile / rows + 1;
    const int64_t most = first == 0 ? threads : gemm_min(team, threads / 2);
    const int64_t members = gemm_min(most, rows / LEAST_ROWS);
    panel->first = first;
    panel->rows = rows;
    panel->width = gemm_min(work->tile, panel->rows);
    panel->members = members > 1 ? members : 1;
    panel->share = gemm_round_up((panel->rows + panel->members - 1) / panel->members, NR);
}

/* Factors the panel. All threads call this; a thread outside the team returns at once. */
static void factor_panel(struct work *work)
{
    struct panel *panel = &work->panel;
    const int64_t n = work->n, number = omp_get_thread_num();
    enum { BARRIERS = 8 }; /* numbers of barriers reserved for a column, which takes at most 3 */
    struct panel_member member = {
        .panel = panel,
        .number = number,
        .barrier = BARRIERS * panel->first,
        .first_row = gemm_min(panel->share * number, panel->rows),
        .end_row = gemm_min(panel->share * (number + 1), panel->rows),
    };
    if (number >= panel->members)
        return;
    panel_transpose(member.end_row - member.first_row, panel->width,
                    work->a + (panel->first + member.first_row) * n + panel->first, n,
                    panel->element + member.first_row, panel->ld);
    if (panel->members > 1) {
        panel_factor_columns(&member, 0, panel->width);
    } else {
        const struct lines columns = {panel->element, panel->ld, panel->slivers, false};
        solo_factor(panel, &columns, false, 0, panel->width);
    }
}

/* --- The update of the rest, by all threads --- */

/* Exchanges rows of some columns as the pivots of steps first to last - 1 say. */
static void exchange_rows(const struct work *work, int64_t first, int64_t last, int64_t first_col, int64_t cols)
{
    for (int64_t i = first; i < last; i++) {
        const int64_t chosen = work->panel.pivots[i] - 1;
        real *restrict one = work->a + i * work->n + first_col;
        real *restrict other = work->a + chosen * work->n + first_col;
        if (chosen == i)
            continue;
        for (int64_t j = 0; j < cols; j++) {
            const real kept = one[j];
            one[j] = other[j];
            other[j] = kept;
        }
    }
}

/* Solves L x = x for a sliver of NR columns. A register tile of rows first subtracts the products with all rows above
 * it, then the products within the tile. */
static WHOLE_VECTORS void solve_sliver(const struct work *work, real *x)
{
    const struct panel *panel = &work->panel;
    for (int64_t first = 0; first < panel->width;) {
        const int rows = gemm_tile_rows(panel->width - first);
        real *tile = x + first * NR;
        gemm_tile_of_rows(rows, false, false, first, panel->element + first, 1, panel->ld, x, NR,
                          &(struct gemm_target){tile, NR, NR, GEMM_SUBTRACT});
        for (int i = 1; i < rows; i++)
            for (int l = 0; l < i; l++) {
                const real factor = panel_column(panel, first + l)[first + i];
                for (int j = 0; j < NR; j++)
                    tile[i * NR + j] -= factor * tile[l * NR + j];
            }
        first += rows;
    }
}

/* Makes U right of the panel in columns first_col on, and stores it in A and packed. */
static void make_upper(const struct work *work, int64_t first_col, int64_t cols)
{
    const int64_t n = work->n, width = work->panel.width, after = work->panel.first + width;
    exchange_rows(work, work->panel.first, after, first_col, cols);
    for (int64_t j = first_col; j < first_col + cols; j += NR) {
        const int64_t count = gemm_min(NR, first_col + cols - j);
        real *x = work->upper + (j - after) * width, *a = work->a + (after - width) * n + j;
        gemm_pack_sliver(NR, count, width, a, 1, n, x);
        for (int64_t l = 0; l < width && count < NR; l++)
            memset(x + l * NR + count, 0, (size_t)(NR - count) * sizeof *x);
        solve_sliver(work, x);
        for (int64_t l = 0; l < width; l++)
            memcpy(a + l * n, x + l * NR, (size_t)count * sizeof *x);
    }
}

/* Stores the panel in A and packed, and makes U. All threads wait at the end. */
static void apply_panel(const struct work *work)
{
    const struct panel *panel = &work->panel;
    const int64_t n = work->n, first = panel->first, width = panel->width, after = first + width;
#pragma omp for schedule(dynamic) nowait
    for (int64_t j = after; j < n; j += GROUP)
        make_upper(work, j, gemm_min(GROUP, n - j));
#pragma omp for schedule(dynamic) nowait
    for (int64_t j = 0; j < first; j += LEFT_COLUMNS)
        exchange_rows(work, first, after, j, gemm_min(LEFT_COLUMNS, first - j));
#pragma omp for schedule(dynamic) nowait
    for (int64_t i = first; i < n; i += PANEL_ROWS)
        panel_transpose_back(width, gemm_min(PANEL_ROWS, n - i), panel->element + i - first, panel->ld,
                             work->a + i * n + first, n);
#pragma omp for schedule(dynamic)
    for (int64_t i = after; i < n; i += MR)
        gemm_pack_sliver(MR, gemm_min(MR, n - i), width, panel->element + i - first, 1, panel->ld,
                         work->left + (i - after) * width);
    /* Barrier: L and U are packed before the update reads them, and the panel is read before the next one replaces
     * it. */
}

/* A -= L U for UPDATE_ROWS rows from first_row on, in columns first_col to end_col - 1. Both first_row and first_col
 * lie a whole number of slivers behind `after`. */
static void update_tiles(const struct work *work, int64_t after, int64_t depth, int64_t first_row, int64_t first_col,
                         int64_t end_col)
{
    const int64_t n = work->n, end_row = gemm_min(first_row + UPDATE_ROWS, n);
    for (int64_t j = first_col; j < end_col; j += NR)
        for (int64_t i = first_row; i < end_row;) {
            const int rows = gemm_tile_rows(end_row - i);
            const int64_t sliver = (i - after) / MR * MR;
            const struct gemm_target to = {work->a + i * n + j, n, gemm_min(NR, end_col - j), GEMM_SUBTRACT};
            gemm_tile_packed(rows, depth, work->left + sliver * depth + (i - after - sliver),
                             work->upper + (j - after) * depth, &to);
            i += rows;
        }
}

/* Factors A. All threads call this, and take the same steps. */
static void factorise(struct work *work)
{
    const int64_t n = work->n;
    struct panel *panel = &work->panel;
#pragma omp single
    place_panel(work, 0);
    factor_panel(work);
#pragma omp barrier /* the first panel is factored before anyone applies it */
    while (panel->bad_step < 0) {
        const int64_t depth = panel->width, after = panel->first + depth;
        apply_panel(work);
        if (after == n)
            return;
        /* Slivers start at `after`. So the columns updated before the next panel end with a sliver, at or behind its
         * end. */
        const int64_t next = gemm_min(after + gemm_round_up(work->tile, NR), n);
#pragma omp for schedule(dynamic) nowait
        for (int64_t i = after; i < n; i += UPDATE_ROWS)
            update_tiles(work, after, depth, i, after, next);
#pragma omp single
        place_panel(work, after);
        /* Barrier: the next panel is placed and up to date before the team factors it. */
        factor_panel(work);
#pragma omp for collapse(2) schedule(dynamic)
        for (int64_t j = next; j < n; j += GROUP)
            for (int64_t i = after; i < n; i += UPDATE_ROWS)
                update_tiles(work, after, depth, i, j, gemm_min(j + GROUP, n));
        /* Barrier: the rest is up to date and the next panel is factored before anyone applies the panel. */
    }
}

/* Factors a small matrix as one panel. Rows of A are contiguous, so that the last exchanges of rows are cheaper there
 * than in the panel. */
static void factorise_alone(struct work *work)
{
    struct panel *panel = &work->panel;
    const struct lines columns = {panel->element, panel->ld, panel->slivers, false};
    const int64_t n = work->n;
    panel->first = 0;
    panel->rows = panel->width = n;
    panel->members = 1;
    panel_transpose(n, n, work->a, n, panel->element, panel->ld);
    if (!solo_factor(panel, &columns, true, 0, n))
        return;
    panel_transpose_back(n, n, panel->element, panel->ld, work->a, n);
    for (int64_t first = 0; n - first > LINES_BLOCK;) {
        const int64_t middle = lines_middle(first, n);
        exchange_rows(work, middle, n, first, middle - first);
        first = middle;
    }
}

static void release(struct job *job)
{
    struct work *work = job->state;
    panel_release(&work->panel);
    free(work->left);
    free(work->upper);
    free(work);
}

static int prepare(struct job *job)
{
    enum { ALONE_MOST = 256 }; /* one thread factors so small a matrix sooner than a team */
    const int64_t n = job->cell->n, wanted = job->cell->tile;
    const bool alone = n <= ALONE_MOST && n <= 2 * wanted;
    const int64_t tile = alone ? n : gemm_min(wanted, n);
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return job_fail(job, "out of memory for panels");
    work->n = n;
    work->tile = tile;
    work->alone = alone;
    work->left = gemm_buffer(gemm_round_up(n, MR) * tile);
    work->upper = gemm_buffer(gemm_round_up(n, NR) * tile);
    job->state = work;
    if (panel_prepare(&work->panel, n, tile) && work->left && work->upper)
        return 0;
    release(job);
    return job_fail(job, "out of memory for panels");
}

static int run(struct job *job)
{
    struct work *work = job->state;
    work->a = job->operand[0];
    panel_begin(&work->panel, job->operand[1]);
    if (work->alone) {
        factorise_alone(work);
    } else {
#pragma omp parallel num_threads(work->panel.threads) default(none) shared(work)
        factorise(work);
    }
    return work->panel.bad_step < 0 ? 0 : pivot_fail(job, work->panel.bad_step, work->panel.pivot);
}

VARIANT(lu, omp_recursive_pivot) = {
    .summary = "partial pivoting, recursive panels with look-ahead, packed GEMM updates",
    .summary_ru = "частичный выбор ведущего элемента, рекурсивные панели с опережением, обновления упакованным GEMM",
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
