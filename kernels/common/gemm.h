/* The product of matrices at full speed: blocks packed for each level of cache, tiles in registers. For CPU kernel
 * files: all of it is compiled into each build of a file that includes it.
 * SPDX-License-Identifier: MIT
 *
 * After Goto and van de Geijn (2008) and BLIS. Five loops surround the tile of gemm_tile.h:
 *
 *   for NC columns of C                        their rows of B, packed, stay in the third-level cache
 *     for KC of the sum: pack KC x NC of B
 *       for MC rows of C: pack MC x KC of A    stays in the second-level cache
 *         for NR columns                       a sliver of B; streams through the first-level cache
 *           for MR rows: a tile                a sliver of A likewise; C in registers
 *
 * A sliver is a block's MR rows (A) or NR columns (B), packed in the order in which the tile reads them. */
#ifndef TILELAB_COMMON_GEMM_H
#define TILELAB_COMMON_GEMM_H

#include "gemm_tile.h"

#include <omp.h>
#include <stdlib.h>

/* Sizes of blocks, in elements, and the buffers for them: for any number of products, one at a time. */
struct gemm {
    int64_t mc, nc, kc; /* mc a multiple of MR, nc of NR */
    int64_t rows;       /* of A that a team packs before it multiplies: some mc */
    int threads;
    real *a, *b; /* rows x kc, kc x nc */
};

/* A factor where it lies: elements from row to row and from column to column, one of which is 1. A row-major matrix is
 * {a, lda, 1}, its transpose {a, 1, lda}. */
struct gemm_factor {
    const real *element;
    int64_t row, column;
};

/* C (m x n) = A (m x k) B (k x n), or that added to or subtracted from C; m, n, k at least 1. C is row-major, c_row
 * elements from row to row, and overlaps neither factor. */
struct gemm_product {
    int64_t m, n, k;
    struct gemm_factor a, b;
    real *c;
    int64_t c_row;
    enum gemm_update update;
    bool lower; /* only tiles with elements on or below the diagonal: what lies above is written or not */
};

static inline int64_t gemm_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t gemm_round_up(int64_t size, int64_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* Blocks of `size` as equal as can be: at most `most`, and a multiple of `unit`, as `most` is. */
static inline int64_t gemm_balance(int64_t size, int64_t most, int64_t unit)
{
    const int64_t blocks = (size + most - 1) / most;
    return gemm_round_up((size + blocks - 1) / blocks, unit);
}

/* --- Sizes and buffers --- */

/* The axes mc, nc and kc where they are set. Else KC is such that a sliver of B is twice the first-level cache (fewer
 * would come back to C more often; slivers stream anyway), a block of A half of the second level, and one of B half of
 * the third level's share. No block is larger than a product of m x n x k needs. */
static void gemm_choose(struct gemm *packed, const struct job *job, int64_t m, int64_t n, int64_t k)
{
    enum { KC_MOST = 512, L1D_DEFAULT = 32 << 10, L2_DEFAULT = 512 << 10, L3_DEFAULT = 2 << 20 };
    const struct cell *cell = job->cell;
    const struct caches *caches = &job->caches;
    const int64_t l1d = caches->l1d_bytes ? caches->l1d_bytes : L1D_DEFAULT;
    const int64_t l2 = caches->l2_bytes ? caches->l2_bytes : L2_DEFAULT;
    const int64_t l3 = caches->l3_share_bytes ? caches->l3_share_bytes : L3_DEFAULT;
    const int64_t size = sizeof(real);

    packed->kc = cell->kc ? cell->kc : gemm_min(KC_MOST, 2 * l1d / (NR * size));
    packed->kc = gemm_min(packed->kc, k);
    packed->mc = cell->mc ? cell->mc : l2 / 2 / (packed->kc * size);
    packed->mc = gemm_round_up(gemm_min(packed->mc, m), MR);
    packed->nc = cell->nc ? cell->nc : packed->threads * l3 / 2 / (packed->kc * size);
    packed->nc = gemm_round_up(gemm_min(packed->nc, n), NR);
    /* A team waits for its slowest thread after each block: rather seldom, at the cost of MC x KC from the third level. */
    const int64_t rows = gemm_round_up(gemm_min(packed->nc, m), MR);
    packed->rows = packed->threads * packed->mc;
    if (packed->threads > 1 && packed->rows < rows)
        packed->rows = rows;
}

/* Zeros: where a sliver is not full, tiles compute with what lies there, and throw it away. */
static real *gemm_buffer(int64_t elements)
{
    enum { LINE = 64 };
    const size_t size = (size_t)gemm_round_up(elements * (int64_t)sizeof(real), LINE);
    real *buffer = aligned_alloc(LINE, size);
    return buffer ? memset(buffer, 0, size) : NULL;
}

static void gemm_free(struct gemm *packed)
{
    if (packed) {
        free(packed->a);
        free(packed->b);
    }
    free(packed);
}

/* For products of at most m x n x k by all threads that OpenMP would start here. NULL, with job->error set, where there
 * is no memory; else for gemm_free. */
static inline struct gemm *gemm_new(struct job *job, int64_t m, int64_t n, int64_t k)
{
    struct gemm *packed = calloc(1, sizeof *packed);
    if (packed) {
        packed->threads = omp_get_max_threads();
        gemm_choose(packed, job, m, n, k);
        packed->a = gemm_buffer(packed->rows * packed->kc);
        packed->b = gemm_buffer(packed->nc * packed->kc);
        if (packed->a && packed->b)
            return packed;
    }
    gemm_free(packed);
    job_fail(job, "out of memory for packed blocks");
    return NULL;
}

/* --- Packing --- */

/* Four elements of each of four rows, turned into columns in registers. */
static ALWAYS_INLINE void gemm_pack_quad(const real *from, int64_t across, int panel, real *to)
{
    typedef real quad __attribute__((vector_size(4 * sizeof(real)), aligned(sizeof(real)), may_alias));
#ifdef __clang__
#define PICK(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
    typedef __typeof__(_Generic((real)0, double : (int64_t)0, default : (int32_t)0)) index;
    typedef index indices __attribute__((vector_size(4 * sizeof(index))));
#define PICK(x, y, ...) __builtin_shuffle(x, y, (indices){__VA_ARGS__})
#endif
    const quad row0 = *(const quad *)from, row1 = *(const quad *)(from + across);
    const quad row2 = *(const quad *)(from + 2 * across), row3 = *(const quad *)(from + 3 * across);
    const quad left01 = PICK(row0, row1, 0, 4, 1, 5), right01 = PICK(row0, row1, 2, 6, 3, 7);
    const quad left23 = PICK(row2, row3, 0, 4, 1, 5), right23 = PICK(row2, row3, 2, 6, 3, 7);
    *(quad *)to = PICK(left01, left23, 0, 1, 4, 5);
    *(quad *)(to + panel) = PICK(left01, left23, 2, 3, 6, 7);
    *(quad *)(to + 2 * panel) = PICK(right01, right23, 0, 1, 4, 5);
    *(quad *)(to + 3 * panel) = PICK(right01, right23, 2, 3, 6, 7);
#undef PICK
}

/* A sliver: `panel` elements for each of `depth` steps of the sum. They lie `across` apart, those of the next step
 * `along` further. Only `width` are there: of the others nothing is stored in C. `panel` is a constant in each use. */
static ALWAYS_INLINE void gemm_pack_sliver(const int panel, int64_t width, int64_t depth, const real *from,
                                           int64_t across, int64_t along, real *to)
{
    enum { QUAD = 4 };
    int64_t l = 0;
    if (width == panel && across == 1) {
        for (; l < depth; l++)
            memcpy(to + l * panel, from + l * along, (size_t)panel * sizeof *to);
    } else if (width == panel && along == 1) {
        for (; l + QUAD <= depth; l += QUAD) {
            for (int i = 0; i + QUAD <= panel; i += QUAD)
                gemm_pack_quad(from + i * across + l, across, panel, to + l * panel + i);
            for (int i = panel / QUAD * QUAD; i < panel; i++)
                for (int64_t step = l; step < l + QUAD; step++)
                    to[step * panel + i] = from[i * across + step];
        }
    }
    for (; l < depth; l++)
        for (int64_t i = 0; i < width; i++)
            to[l * panel + i] = from[i * across + l * along];
}

/* --- The five loops, run by all threads of a team together --- */

/* One block of C: `rows` x `columns` from (i, j) on, the sum over `depth` steps. */
struct gemm_block {
    int64_t i, rows, j, columns, depth;
    enum gemm_update update;
};

/* The two inner loops. Threads take MC rows under one sliver of B at a time, whoever is free: the lower triangle has
 * unequal pieces, and a shared machine unequal threads. */
static void gemm_multiply_block(const struct gemm *packed, const struct gemm_product *product, int64_t mc,
                                const struct gemm_block *block)
{
    const int64_t rows_end = block->i + block->rows, columns_end = block->j + block->columns;
#pragma omp for collapse(2) schedule(dynamic)
    for (int64_t first = block->i; first < rows_end; first += mc)
        for (int64_t j = block->j; j < columns_end; j += NR) {
            const real *b = packed->b + (j - block->j) * block->depth;
            const int64_t end = gemm_min(first + mc, rows_end), diagonal = j / MR * MR;
            int64_t i = product->lower && diagonal > first ? diagonal : first;
            while (i < end) {
                const int rows = gemm_tile_rows(end - i);
                const int64_t sliver = (i - block->i) / MR * MR;
                const struct gemm_target to = {.c = product->c + i * product->c_row + j,
                                               .row = product->c_row,
                                               .columns = gemm_min(NR, columns_end - j),
                                               .update = block->update};
                gemm_tile_packed(rows, block->depth, packed->a + sliver * block->depth + (i - block->i - sliver), b,
                                 &to);
                i += rows;
            }
        } /* all wait: the blocks of A and B are free again */
}

static void gemm_multiply_team(const struct gemm *packed, const struct gemm_product *product)
{
    const int64_t m = product->m, n = product->n, k = product->k, threads = packed->threads;
    const struct gemm_factor *a = &product->a, *b = &product->b;
    const int64_t nc = gemm_balance(n, packed->nc, NR), kc = gemm_balance(k, packed->kc, 1);
    const int64_t mc_most = gemm_min(packed->mc, gemm_round_up((m + threads - 1) / threads, MR));
    const int64_t mc = gemm_balance(m, mc_most, MR), rows_most = packed->rows / mc * mc;

    for (int64_t j0 = 0; j0 < n; j0 += nc)
        for (int64_t l0 = 0; l0 < k; l0 += kc) {
            const int64_t columns = gemm_min(nc, n - j0), depth = gemm_min(kc, k - l0);
#pragma omp for schedule(dynamic) nowait
            for (int64_t j = 0; j < columns; j += NR)
                gemm_pack_sliver(NR, gemm_min(NR, columns - j), depth, b->element + l0 * b->row + (j0 + j) * b->column,
                                 b->column, b->row, packed->b + j * depth);
            for (int64_t i0 = 0; i0 < m; i0 += rows_most) {
                const int64_t rows = gemm_min(rows_most, m - i0);
#pragma omp for schedule(dynamic)
                for (int64_t i = 0; i < rows; i += MR)
                    gemm_pack_sliver(MR, gemm_min(MR, rows - i), depth, a->element + (i0 + i) * a->row + l0 * a->column,
                                     a->row, a->column, packed->a + i * depth);
                /* all have waited: both blocks are packed */
                const struct gemm_block block = {.i = i0,
                                                 .rows = rows,
                                                 .j = j0,
                                                 .columns = columns,
                                                 .depth = depth,
                                                 .update = product->update == GEMM_SET && l0 > 0 ? GEMM_ADD
                                                                                                 : product->update};
                gemm_multiply_block(packed, product, mc, &block);
            }
        }
}

/* --- Small products --- */

/* By one thread, straight from where A and B lie. A sliver of B is packed if it lies across, or does not fill vectors and
 * they cannot be loaded in part. */
static void gemm_multiply_small(const struct gemm *packed, const struct gemm_product *product)
{
    const struct gemm_factor *a = &product->a, *b = &product->b;
    for (int64_t j = 0; j < product->n; j += NR) {
        const int64_t columns = gemm_min(NR, product->n - j);
        const real *b_sliver = b->element + j * b->column;
        int64_t b_row = b->row;
        if (b->column != 1 || (!LOADS_LANES && columns % LANES != 0)) {
            gemm_pack_sliver(NR, columns, product->k, b_sliver, b->column, b->row, packed->b);
            b_sliver = packed->b;
            b_row = NR;
        }
        for (int64_t i = product->lower ? j : 0; i < product->m;) {
            const int rows = gemm_tile_rows(product->m - i);
            const struct gemm_target to = {.c = product->c + i * product->c_row + j,
                                           .row = product->c_row,
                                           .columns = columns,
                                           .update = product->update};
            gemm_tile_in_place(rows, product->k, a->element + i * a->row, a->row, b_sliver, b_row, &to);
            i += rows;
        }
    }
}

/* Whether packing, or starting a team, would cost more than it saves. */
static bool gemm_is_small(const struct gemm *packed, const struct gemm_product *product)
{
    const int64_t most = packed->threads > 1 ? 96 : 256;
    return product->m <= most && product->n <= most && product->k <= gemm_min(most, packed->kc) &&
           product->a.column == 1;
}

static inline void gemm_multiply(const struct gemm *packed, const struct gemm_product *product)
{
    if (gemm_is_small(packed, product)) {
        gemm_multiply_small(packed, product);
        return;
    }
#pragma omp parallel num_threads(packed->threads)
    gemm_multiply_team(packed, product);
}

#endif
