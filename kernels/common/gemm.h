/* The product of matrices at full speed: blocks packed for each level of cache, tiles of C in registers. For CPU kernel
 * files: each build of a kernel file compiles this header anew.
 * SPDX-License-Identifier: MIT
 *
 * The method is that of Goto and van de Geijn (2008) and of BLIS. Five loops surround the register tile of gemm_tile.h.
 * The right column says which cache serves the loop:
 *
 *   for NC columns of C
 *     for KC steps of the sum: pack KC x NC of B    the third-level cache keeps this block of B
 *       for MC rows of C: pack MC x KC of A         the second-level cache keeps this block of A
 *         for NR columns                            one sliver of B streams through the first-level cache
 *           for MR rows: a register tile of C       one sliver of A streams through the first-level cache
 *
 * A sliver is MR rows of a block of A, or NR columns of a block of B. Packing stores its elements in the order in which
 * the register tile reads them. */
#ifndef TILELAB_COMMON_GEMM_H
#define TILELAB_COMMON_GEMM_H

#include "gemm_tile.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

/* What a team knows of one thread's share of a block of C. The alignment gives each thread cache lines of its own. */
struct gemm_share {
    _Alignas(128) _Atomic int64_t next; /* the first piece of the share that nobody has taken */
};

/* Sizes of the packed blocks, in elements, and their buffers. They serve any number of products, one at a time. */
struct gemm {
    int64_t mc, nc, kc; /* mc a multiple of MR, nc of NR */
    int64_t a_rows;     /* rows of A that the team packs before it multiplies: a few times mc */
    int threads;
    real *a, *b;               /* a_rows x kc and kc x nc */
    struct gemm_share *shares; /* one for each thread */
};

/* A factor of the product, as it lies in memory. `row` and `column` count the elements from one row or column to the
 * next; one of them is 1. A row-major matrix is {a, lda, 1}, and its transpose is {a, 1, lda}. */
struct gemm_factor {
    const real *element;
    int64_t row, column;
};

/* A product of A (m x k) and B (k x n), which `update` stores in C (m x n), adds to C or subtracts from C. m, n and k
 * are at least 1. C is row-major with c_row elements from row to row, and overlaps neither factor. */
struct gemm_product {
    int64_t m, n, k;
    struct gemm_factor a, b;
    real *c;
    int64_t c_row;
    enum gemm_update update;
    bool lower; /* compute only tiles that reach the diagonal or lie below it; elements above it become arbitrary */
};

static inline int64_t gemm_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t gemm_round_up(int64_t size, int64_t unit)
{
    return (size + unit - 1) / unit * unit;
}

/* The length of the pieces that split `size` as evenly as possible. The length is a multiple of `unit` and at most
 * `most`, which is a multiple of `unit` too. */
static inline int64_t gemm_balance(int64_t size, int64_t most, int64_t unit)
{
    const int64_t blocks = (size + most - 1) / most;
    return gemm_round_up((size + blocks - 1) / blocks, unit);
}

/* --- Sizes and buffers --- */

/* Chooses the sizes of blocks. Where the axes mc, nc and kc are set, they decide. Otherwise KC has a fixed size: a
 * smaller KC would visit C more often, and slivers only stream through the first-level cache. A block of A takes half
 * of the second-level cache. A block of B takes half of the threads' shares of the third-level cache. No block is
 * larger than a product of m x n x k needs. */
static void gemm_choose(struct gemm *gemm, const struct job *job, int64_t m, int64_t n, int64_t k)
{
    enum { KC_CHOSEN = 512, L2_DEFAULT = 512 << 10, L3_DEFAULT = 2 << 20 };
    const struct cell *cell = job->cell;
    const struct caches *caches = &job->caches;
    const int64_t l2 = caches->l2_bytes ? caches->l2_bytes : L2_DEFAULT;
    const int64_t l3 = caches->l3_share_bytes ? caches->l3_share_bytes : L3_DEFAULT;
    const int64_t size = sizeof(real);

    gemm->kc = gemm_min(cell->kc ? cell->kc : KC_CHOSEN, k);
    gemm->mc = cell->mc ? cell->mc : l2 / 2 / (gemm->kc * size);
    gemm->mc = gemm_round_up(gemm_min(gemm->mc, m), MR);
    gemm->nc = cell->nc ? cell->nc : gemm->threads * l3 / 2 / (gemm->kc * size);
    gemm->nc = gemm_round_up(gemm_min(gemm->nc, n), NR);
    /* A team waits for its slowest thread after each block. So a team packs many rows of A at once, although blocks of
     * A then come from the third-level cache. */
    const int64_t rows = gemm_round_up(gemm_min(gemm->nc, m), MR);
    gemm->a_rows = gemm->threads * gemm->mc;
    if (gemm->threads > 1 && gemm->a_rows < rows)
        gemm->a_rows = rows;
}

/* A buffer of zeros, or NULL. The zeros matter: a tile also computes with the unused places of a sliver that is not
 * full, and throws the results away. */
static real *gemm_buffer(int64_t elements)
{
    enum { LINE = 64 };
    const size_t size = (size_t)gemm_round_up(elements * (int64_t)sizeof(real), LINE);
    real *buffer = aligned_alloc(LINE, size);
    return buffer ? memset(buffer, 0, size) : NULL;
}

static void gemm_free(struct gemm *gemm)
{
    if (gemm) {
        free(gemm->a);
        free(gemm->b);
        free(gemm->shares);
    }
    free(gemm);
}

/* Makes the buffers for products of at most m x n x k, by as many threads as OpenMP would start here. Returns NULL and
 * sets job->error if memory is short. The caller releases the result by gemm_free. */
static inline struct gemm *gemm_new(struct job *job, int64_t m, int64_t n, int64_t k)
{
    struct gemm *gemm = calloc(1, sizeof *gemm);
    if (gemm) {
        gemm->threads = omp_get_max_threads();
        gemm_choose(gemm, job, m, n, k);
        gemm->a = gemm_buffer(gemm->a_rows * gemm->kc);
        gemm->b = gemm_buffer(gemm->nc * gemm->kc);
        gemm->shares = aligned_alloc(_Alignof(struct gemm_share), (size_t)gemm->threads * sizeof *gemm->shares);
        if (gemm->a && gemm->b && gemm->shares)
            return gemm;
    }
    gemm_free(gemm);
    job_fail(job, "out of memory for packed blocks");
    return NULL;
}

/* --- Packing --- */

/* Transposes 4 x 4 elements in registers. */
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

/* Packs a sliver: `panel` elements for each of `depth` steps of the sum. In memory, the elements of one step lie
 * `across` apart, and the next step lies `along` further. Only `width` elements of each step exist; the others keep
 * what the buffer holds. `panel` is a constant in each use, so that loops over it unroll. */
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

/* --- The five loops: all threads of a team call these functions --- */

/* A block of C: `rows` x `columns` elements from (i, j) on, each of them a sum of `depth` products. */
struct gemm_block {
    int64_t i, rows, j, columns, depth;
    enum gemm_update update;
};

/* The two inner loops: the rows first to end - 1 of C, below the sliver of B that begins at column j. */
static void gemm_multiply_piece(const struct gemm *gemm, const struct gemm_product *product,
                                const struct gemm_block *block, int64_t first, int64_t end, int64_t j)
{
    const real *b = gemm->b + (j - block->j) * block->depth;
    const int64_t diagonal = j / MR * MR;
    int64_t i = product->lower && diagonal > first ? diagonal : first;
    while (i < end) {
        const int rows = gemm_tile_rows(end - i);
        const int64_t sliver = (i - block->i) / MR * MR;
        const struct gemm_target to = {
            .c = product->c + i * product->c_row + j,
            .row = product->c_row,
            .columns = gemm_min(NR, block->j + block->columns - j),
            .update = block->update,
        };
        gemm_tile_packed(rows, block->depth, gemm->a + sliver * block->depth + (i - block->i - sliver), b, &to);
        i += rows;
    }
}

/* The largest divisor of the number of threads up to its root: so many shares lie below each other in C. */
static int64_t gemm_row_shares(int64_t threads)
{
    int64_t most = 1;
    for (int64_t divisor = 2; divisor * divisor <= threads; divisor++)
        if (threads % divisor == 0)
            most = divisor;
    return most;
}

/* Multiplies a block. The block of C has a share for each thread, nearly square, so that few elements of A and B come
 * into a thread's second-level cache. A piece of a share is at most MC rows, and in a team half of the share's, below
 * one sliver of B. Pieces of a lower triangle differ in size, and threads of a shared machine differ in speed. So a
 * thread takes the pieces of its own share first, and then those that are left of the others. */
static void gemm_multiply_block(const struct gemm *gemm, const struct gemm_product *product,
                                const struct gemm_block *block)
{
    const int64_t threads = gemm->threads, below = gemm_row_shares(threads), beside = threads / below;
    const int64_t rows = gemm_round_up((block->rows + below - 1) / below, MR);
    const int64_t columns = gemm_round_up((block->columns + beside - 1) / beside, NR);
    const int64_t half = threads > 1 ? gemm_round_up((rows + 1) / 2, MR) : rows;
    const int64_t mc = gemm_balance(rows, gemm_min(gemm->mc, half), MR);
    for (int64_t turn = 0; turn < threads; turn++) {
        const int64_t share = (omp_get_thread_num() + turn) % threads;
        const int64_t i0 = share / beside * rows, end = gemm_min(i0 + rows, block->rows);
        const int64_t j0 = share % beside * columns, slivers = (gemm_min(columns, block->columns - j0) + NR - 1) / NR;
        const int64_t pieces = end > i0 && slivers > 0 ? (end - i0 + mc - 1) / mc * slivers : 0;
        int64_t piece;
        while ((piece = atomic_fetch_add_explicit(&gemm->shares[share].next, 1, memory_order_relaxed)) < pieces) {
            const int64_t first = i0 + piece / slivers * mc;
            gemm_multiply_piece(gemm, product, block, block->i + first, block->i + gemm_min(first + mc, end),
                                block->j + j0 + piece % slivers * NR);
        }
    }
#pragma omp barrier /* nobody packs the next blocks of A and B before everyone has read the present ones */
}

static void gemm_multiply_team(const struct gemm *gemm, const struct gemm_product *product)
{
    const int64_t m = product->m, n = product->n, k = product->k;
    const struct gemm_factor *a = &product->a, *b = &product->b;
    const int64_t nc = gemm_balance(n, gemm->nc, NR), kc = gemm_balance(k, gemm->kc, 1);
    const int64_t a_rows = gemm_balance(m, gemm->a_rows, MR);

    for (int64_t j0 = 0; j0 < n; j0 += nc)
        for (int64_t l0 = 0; l0 < k; l0 += kc) {
            const int64_t columns = gemm_min(nc, n - j0), depth = gemm_min(kc, k - l0);
#pragma omp for schedule(dynamic) nowait
            for (int64_t j = 0; j < columns; j += NR)
                gemm_pack_sliver(NR, gemm_min(NR, columns - j), depth, b->element + l0 * b->row + (j0 + j) * b->column,
                                 b->column, b->row, gemm->b + j * depth);
            for (int64_t i0 = 0; i0 < m; i0 += a_rows) {
                const int64_t rows = gemm_min(a_rows, m - i0);
#pragma omp single nowait
                for (int64_t share = 0; share < gemm->threads; share++)
                    atomic_store_explicit(&gemm->shares[share].next, 0, memory_order_relaxed);
#pragma omp for schedule(dynamic)
                for (int64_t i = 0; i < rows; i += MR)
                    gemm_pack_sliver(MR, gemm_min(MR, rows - i), depth, a->element + (i0 + i) * a->row + l0 * a->column,
                                     a->row, a->column, gemm->a + i * depth);
                /* The barrier of the loop above: both blocks are packed before anyone multiplies them. */
                const struct gemm_block block = {
                    .i = i0,
                    .rows = rows,
                    .j = j0,
                    .columns = columns,
                    .depth = depth,
                    .update = product->update == GEMM_SET && l0 > 0 ? GEMM_ADD : product->update,
                };
                gemm_multiply_block(gemm, product, &block);
            }
        }
}

/* --- Small products --- */

/* A product by one thread. It reads A and B where they lie. A sliver of B is packed only if its rows are not
 * contiguous, or if its last vector is not full and this CPU cannot load a part of a vector. */
static void gemm_multiply_small(const struct gemm *gemm, const struct gemm_product *product)
{
    const struct gemm_factor *a = &product->a, *b = &product->b;
    for (int64_t j = 0; j < product->n; j += NR) {
        const int64_t columns = gemm_min(NR, product->n - j);
        const real *b_sliver = b->element + j * b->column;
        int64_t b_row = b->row;
        if (b->column != 1 || (!LOADS_LANES && columns % LANES != 0)) {
            gemm_pack_sliver(NR, columns, product->k, b_sliver, b->column, b->row, gemm->b);
            b_sliver = gemm->b;
            b_row = NR;
        }
        for (int64_t i = product->lower ? j : 0; i < product->m;) {
            const int rows = gemm_tile_rows(product->m - i);
            const struct gemm_target to = {
                .c = product->c + i * product->c_row + j,
                .row = product->c_row,
                .columns = columns,
                .update = product->update,
            };
            gemm_tile_in_place(rows, product->k, a->element + i * a->row, a->row, b_sliver, b_row, &to);
            i += rows;
        }
    }
}

/* Says whether packing would cost more than it saves. */
static bool gemm_is_small(const struct gemm *gemm, const struct gemm_product *product)
{
    enum { MOST = 256 };
    return product->m <= MOST && product->n <= MOST && product->k <= gemm_min(MOST, gemm->kc) && product->a.column == 1;
}

/* Says whether starting a team for a small product would cost more than it saves. */
static bool gemm_is_for_one(const struct gemm *gemm, const struct gemm_product *product)
{
    enum { MOST = 96 };
    return gemm->threads == 1 || (product->m <= MOST && product->n <= MOST && product->k <= MOST);
}

/* Says whether the threads of a team can read A and B where they lie: a packed sliver of B would need a buffer for each
 * thread. The shares of a lower triangle would be uneven. */
static bool gemm_is_in_place(const struct gemm_product *product)
{
    return product->b.column == 1 && (LOADS_LANES || product->n % LANES == 0) && !product->lower;
}

/* A small product by a team. Its threads wait for each other only at the end. A part of C is one sliver wide; it has
 * all rows of C if there are enough slivers for the threads. */
static void gemm_multiply_small_team(const struct gemm *gemm, const struct gemm_product *product)
{
    const int64_t slivers = (product->n + NR - 1) / NR, parts = (gemm->threads + slivers - 1) / slivers;
    const int64_t rows = gemm_round_up((product->m + parts - 1) / parts, MR);
#pragma omp parallel for num_threads(gemm->threads) collapse(2) schedule(static)
    for (int64_t j = 0; j < product->n; j += NR)
        for (int64_t i = 0; i < product->m; i += rows) {
            struct gemm_product part = *product;
            part.m = gemm_min(rows, product->m - i);
            part.n = gemm_min(NR, product->n - j);
            part.a.element += i * product->a.row;
            part.b.element += j;
            part.c += i * product->c_row + j;
            gemm_multiply_small(gemm, &part);
        }
}

/* Computes the product with as many threads as gemm_new() counted. */
static inline void gemm_multiply(const struct gemm *gemm, const struct gemm_product *product)
{
    const bool small = gemm_is_small(gemm, product);
    if (small && gemm_is_for_one(gemm, product)) {
        gemm_multiply_small(gemm, product);
    } else if (small && gemm_is_in_place(product)) {
        gemm_multiply_small_team(gemm, product);
    } else {
#pragma omp parallel num_threads(gemm->threads)
        gemm_multiply_team(gemm, product);
    }
}

#endif
