/* A = L U in place by recursion: half of the rows is factored, the other half updated, then factored (lines.h).
 * A (n x n) is row-major and contiguous; n is any. Large products are shared by all threads; one does the rest.
 * There is no pivoting: A must not need any. The run fails at a pivot that is 0, or whose reciprocal overflows.
 * Differs from omp-depend: vectors, register tiles and packed products, and no tile to choose.
 * Source: tilelab, after Toledo (1997).
 * SPDX-License-Identifier: MIT */
#include "lines.h"
#include "pivot.h"

struct work {
    int64_t n;
    struct gemm *gemm;
    real *reciprocal; /* of each pivot */
    int64_t bad_step; /* first step whose pivot cannot be used, or -1 */
};

/* Factors the square of at most LINES_BLOCK rows that begins at row `first`. The rows are completed to a whole block by
 * rows of the unit matrix, so that loops over the block unroll. Returns false if a pivot cannot be used. */
static WHOLE_VECTORS bool factor_square(struct work *work, const struct lines *rows, int64_t first, int64_t size)
{
    real copy[LINES_BLOCK][LINES_BLOCK] = {{0}};
    vector row[LINES_BLOCK][LINES_PARTS];
    for (int64_t i = 0; i < LINES_BLOCK; i++) {
        copy[i][i] = 1;
        if (i < size)
            memcpy(copy[i], lines_at(rows, first + i, first), (size_t)size * sizeof(real));
    }
    memcpy(row, copy, sizeof row);
    UNROLL_FOR(k, 0, LINES_BLOCK) {
        const real pivot = row[k][k / LANES][k % LANES], reciprocal = 1 / pivot;
        work->reciprocal[first + k] = reciprocal;
        if (!pivot_usable((double)pivot) || reciprocal - reciprocal != 0) {
            work->bad_step = first + k;
            *lines_at(rows, first + k, first + k) = pivot;
            return false;
        }
        UNROLL_FOR(i, k + 1, LINES_BLOCK) {
            const real factor = row[i][k / LANES][k % LANES] * reciprocal;
            UNROLL_FOR(v, k / LANES, LINES_PARTS) {
                const bits_vector behind_pivot = lines_count(v * LANES) > k;
                row[i][v] -= factor * (vector)((bits_vector)row[k][v] & behind_pivot);
            }
            row[i][k / LANES][k % LANES] = factor;
        }
    }
    memcpy(copy, row, sizeof copy);
    for (int64_t i = 0; i < size; i++)
        memcpy(lines_at(rows, first + i, first), copy[i], (size_t)size * sizeof(real));
    return true;
}

/* Solves L x = x for one vector in each row of a block, whose columns begin at `col`. */
static ALWAYS_INLINE void solve_right_of_square(const struct lines *rows, int64_t first, int64_t col, const bool whole,
                                                int64_t count)
{
    const lanes present = lanes_first(count);
    vector x[LINES_BLOCK];
    UNROLL_FOR(i, 0, LINES_BLOCK) {
        real *a = lines_at(rows, first + i, col);
        const real *l = lines_at(rows, first + i, first);
        x[i] = whole ? vector_load(a) : lanes_load(present, a);
        UNROLL_FOR(k, 0, i)
            x[i] -= l[k] * x[k];
        if (whole)
            *(loose_vector *)a = x[i];
        else
            LANES_STORE(a, present, x[i]);
    }
}

/* Factors at most LINES_BLOCK rows from row `first` on, in the columns from `first` on. */
static WHOLE_VECTORS bool factor_block(struct work *work, const struct lines *rows, int64_t first, int64_t last)
{
    if (!factor_square(work, rows, first, last - first))
        return false;
    int64_t col = first + LINES_BLOCK;
    for (; col + LANES <= work->n; col += LANES)
        solve_right_of_square(rows, first, col, true, LANES);
    if (col < work->n)
        solve_right_of_square(rows, first, col, false, work->n - col);
    return true;
}

/* Factors rows first to last - 1. The rows above them are done and applied. Returns false if a pivot cannot be used. */
static bool factor(struct work *work, const struct lines *rows, int64_t first, int64_t last)
{
    if (last - first <= LINES_BLOCK)
        return factor_block(work, rows, first, last);
    const int64_t middle = lines_middle(first, last);
    if (!factor(work, rows, first, middle))
        return false;
    lines_solve(rows, first, middle, work->reciprocal, middle, last);
    lines_update(rows, first, middle, middle, last, middle, work->n);
    return factor(work, rows, middle, last);
}

static void release(struct job *job)
{
    struct work *work = job->state;
    gemm_free(work->gemm);
    free(work->reciprocal);
    free(work);
}

static int prepare(struct job *job)
{
    const int64_t n = job->cell->n;
    struct work *work = calloc(1, sizeof *work);
    if (!work)
        return job_fail(job, "out of memory for the numbers of a factorisation");
    job->state = work;
    work->n = n;
    work->reciprocal = gemm_buffer(gemm_round_up(n, LINES_BLOCK));
    work->gemm = gemm_new(job, n, n, n);
    if (work->reciprocal && work->gemm)
        return 0;
    release(job);
    return job_fail(job, "out of memory for packed blocks");
}

static int run(struct job *job)
{
    struct work *work = job->state;
    const struct lines rows = {job->operand[0], work->n, work->gemm, true};
    work->bad_step = -1;
    if (factor(work, &rows, 0, work->n))
        return 0;
    return pivot_fail(job, work->bad_step, (double)*lines_at(&rows, work->bad_step, work->bad_step));
}

VARIANT(lu, omp_recursive) = {
    .summary = "recursion over the rows without pivoting, register tiles, packed GEMM updates",
    .summary_ru = "рекурсия по строкам без выбора ведущего элемента, регистровые тайлы, обновления упакованным GEMM",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .typical_gflops = 40,
    .prepare = prepare,
    .run = run,
    .release = release,
};
