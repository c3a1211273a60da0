/* C = A B on the tile unit of a CPU (AMX), which multiplies BF16 numbers and bytes.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape; zeros stand for elements outside.
 * f32: an element is the sum of three BF16 numbers. Six of the nine products of parts matter. i32: an element is the
 * sum of its bytes a_p 256^p, and the ten products with p + q < 4 matter; the result is exact modulo 2^32.
 * All threads pack a block of the sum, split into parts, and then share C. An f32 product with an element whose parts
 * could leave the range of BF16 is computed as in omp-packed. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "amx_block.h"
#include "common/gemm.h"

/* DEPTH steps of the sum are packed at once, B in pieces of WIDE columns, so that long rows of B are read. A thread
 * takes a share of C at a time, at most SHARE_MOST x SHARE_MOST elements, and INNER steps of the sum. Bytes have so few
 * products for each tile that a panel of B must stay in the first-level cache. In f32 all steps at once visit C least
 * often, and the panels of a share fit into the second-level cache. */
#if defined(TILELAB_I32)
enum { DEPTH = 1024, INNER = 256, SHARE_MOST = 256 };
#else
enum { DEPTH = 1024, INNER = DEPTH, SHARE_MOST = 128 };
#endif
enum { SHARE_LEAST = 64, WIDE = 512 };

struct state {
    struct gemm *plain; /* for elements that BF16 cannot hold */
    unsigned char *a, *b;
    int64_t panel_bytes;
};

static void release(struct job *job)
{
    struct state *state = job->state;
    if (state) {
        gemm_free(state->plain);
        free(state->a);
        free(state->b);
    }
    free(state);
}

static unsigned char *new_panels(int64_t size, int64_t panel_bytes)
{
    return aligned_alloc(AMX_ROW_BYTES, (size_t)((size + PANEL - 1) / PANEL * panel_bytes));
}

static int prepare(struct job *job)
{
    const struct cell *cell = job->cell;
    if (!amx_permitted())
        return job_fail(job, "the operating system gives this process no tile registers (ARCH_REQ_XCOMP_PERM)");
    struct state *state = job->state = calloc(1, sizeof *state);
    if (state) {
        const int64_t steps = (gemm_min(DEPTH, cell->k) + STEP - 1) / STEP;
        state->panel_bytes = steps * STEP_BYTES;
        state->a = new_panels(cell->m, state->panel_bytes);
        state->b = new_panels(cell->n, state->panel_bytes);
        state->plain = gemm_new(job, cell->m, cell->n, cell->k);
        if (state->a && state->b && state->plain)
            return 0;
    }
    release(job);
    return job_fail(job, "out of memory for packed blocks");
}

/* Packs one step of the sum in several panels of B. */
static int pack_step(const real *b, int64_t n, int64_t columns, int64_t depth, unsigned char *to, int64_t panel_bytes)
{
    int outside = 0;
    for (int64_t j = 0; j < columns; j += PANEL, to += panel_bytes)
        outside |= amx_pack_b(b + j, n, gemm_min(PANEL, columns - j), depth, to);
    return outside;
}

/* Multiplies one share of C: `rows` x `columns` elements, with PANEL x PANEL of them in registers. */
static void multiply_share(const unsigned char *a, const unsigned char *b, int64_t panel_bytes, int64_t steps, real *c,
                           int64_t n, int64_t rows, int64_t columns, bool set)
{
    for (int64_t s = 0; s < steps; s += INNER / STEP)
        for (int64_t j = 0; j < columns; j += PANEL)
            for (int64_t i = 0; i < rows; i += PANEL)
                amx_block(a + i / PANEL * panel_bytes + s * STEP_BYTES, b + j / PANEL * panel_bytes + s * STEP_BYTES,
                          gemm_min(INNER / STEP, steps - s), c + i * n + j, n, gemm_min(PANEL, rows - i),
                          gemm_min(PANEL, columns - j), set && s == 0);
}

/* The edge of a share: at least four shares for each thread if C has as many elements. */
static int64_t choose_share(int64_t m, int64_t n, int64_t threads)
{
    int64_t share = SHARE_MOST;
    while (share > SHARE_LEAST && m * n < 4 * threads * share * share)
        share /= 2;
    return share;
}

static int run(struct job *job)
{
    const struct state *state = job->state;
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k, threads = state->plain->threads;
    const int64_t share = choose_share(m, n, threads), panel_bytes = state->panel_bytes;
    const real *a = job->operand[0], *b = job->operand[1];
    real *c = job->operand[2];
    /* An element whose parts could leave the range of BF16. The bound of few terms is k u, and six products of three
     * parts are rounded too often for that. */
    int outside = PARTS == 3 && k < STEP;
#pragma omp parallel num_threads(threads)
    {
        amx_begin();
        for (int64_t l0 = 0; l0 < k; l0 += DEPTH) {
            const int64_t depth = gemm_min(DEPTH, k - l0), steps = (depth + STEP - 1) / STEP;
#pragma omp for schedule(dynamic) reduction(| : outside) nowait
            for (int64_t i = 0; i < m; i += PANEL)
                outside |=
                    amx_pack_a(a + i * k + l0, k, gemm_min(PANEL, m - i), depth, state->a + i / PANEL * panel_bytes);
#pragma omp for collapse(2) schedule(dynamic) reduction(| : outside)
            for (int64_t s = 0; s < steps; s++)
                for (int64_t j = 0; j < n; j += WIDE)
                    outside |= pack_step(b + (l0 + s * STEP) * n + j, n, gemm_min(WIDE, n - j),
                                         gemm_min(STEP, depth - s * STEP),
                                         state->b + j / PANEL * panel_bytes + s * STEP_BYTES, panel_bytes);
            /* The barrier of the loop above: both blocks are packed, and every thread reads the same answer here. */
            const bool stop = outside;
#pragma omp for collapse(2) schedule(dynamic)
            for (int64_t i = 0; i < m; i += share)
                for (int64_t j = 0; j < n; j += share)
                    if (!stop)
                        multiply_share(state->a + i / PANEL * panel_bytes, state->b + j / PANEL * panel_bytes,
                                       panel_bytes, steps, c + i * n + j, n, gemm_min(share, m - i),
                                       gemm_min(share, n - j), l0 == 0);
            /* Barrier: nobody packs the next blocks before everyone has read the present ones. */
            if (stop)
                break;
        }
        amx_end();
    }
    if (outside)
        gemm_multiply(state->plain, &(struct gemm_product){
                                        .m = m, .n = n, .k = k, .a = {a, k, 1}, .b = {b, n, 1}, .c = c, .c_row = n});
    return 0;
}

VARIANT(matmul, omp_amx) = {
    .summary = "products of BF16 parts (f32) and of bytes (i32) on the CPU's tile unit",
    .summary_ru = "произведения частей BF16 (f32) и байтов (i32) на матричном блоке процессора",
    .source = "tilelab",
    .precisions = BIT(F32) | BIT(I32),
    .axes = HONOURS(threads),
    .tensor = BIT(F32) | BIT(I32),
    .parts = "bf16",
    .split = F32,
    .products = 6,
    .simd = "amx",
    .typical_gflops = 150,
    .prepare = prepare,
    .run = run,
    .release = release,
};
