/* C = A A^T as in matmul's omp-packed. A is packed twice, as it is and transposed, and one triangle is computed.
 * A (n x k) and C (n x n) are row-major and contiguous; any shape.
 * The threads share the tiles on and below the diagonal, and then mirror the result in strips of rows.
 * Differs from omp-ijk: packed blocks, and n (n + 1) k operations instead of 2 n^2 k.
 * Source: tilelab, after Goto and van de Geijn (2008), and BLIS.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "common/gemm.h"

static int prepare(struct job *job)
{
    job->state = gemm_new(job, job->cell->n, job->cell->n, job->cell->k);
    return job->state ? 0 : -1;
}

enum { STRIP = 16 };

/* Copies a strip of rows, from row i on, to the columns that mirror the rows. Left of the diagonal square, a part of
 * the strip is first transposed into a sliver. So both the strip and its mirror image are accessed along rows. */
static void mirror(int64_t i, int64_t rows, int64_t n, real *c)
{
    enum { DEPTH = 64 };
    real sliver[DEPTH * STRIP];
    for (int64_t j = 0; j < i; j += DEPTH) {
        const int64_t depth = gemm_min(DEPTH, i - j);
        gemm_pack_sliver(STRIP, rows, depth, c + i * n + j, n, 1, sliver);
        for (int64_t l = 0; l < depth; l++)
            for (int64_t row = 0; row < rows; row++)
                c[(j + l) * n + i + row] = sliver[l * STRIP + row];
    }
    for (int64_t row = i; row < i + rows; row++)
        for (int64_t j = i; j < row; j++)
            c[j * n + row] = c[row * n + j];
}

static int run(struct job *job)
{
    const int64_t n = job->cell->n, k = job->cell->k;
    const struct gemm *packed = job->state;
    const real *a = job->operand[0];
    real *c = job->operand[1];

    gemm_multiply(packed, &(struct gemm_product){
                              .m = n,
                              .n = n,
                              .k = k,
                              .a = {a, k, 1},
                              .b = {a, 1, k},
                              .c = c,
                              .c_row = n,
                              .update = GEMM_SET,
                              .lower = true,
                          });
#pragma omp parallel for schedule(dynamic) default(none) shared(n, c) if (packed->threads > 1)
    for (int64_t i = 0; i < n; i += STRIP)
        mirror(i, gemm_min(STRIP, n - i), n, c);
    return 0;
}

static void release(struct job *job)
{
    gemm_free(job->state);
}

VARIANT(aat, omp_packed) = {
    .summary = "GEMM from packed blocks for the lower triangle, then mirrored",
    .summary_ru = "GEMM из упакованных блоков для нижнего треугольника, затем отражение",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(threads) | HONOURS(mc) | HONOURS(nc) | HONOURS(kc),
    .symmetry = SYMMETRY_MIRRORED,
    .halved = true,
    .typical_gflops = 80,
    .prepare = prepare,
    .run = run,
    .release = release,
};
