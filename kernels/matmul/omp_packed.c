/* C = A B from copies of A and B that are packed for each level of cache, with register tiles: see common/gemm.h.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; any shape.
 * All threads pack a block together, and then share the parts of C. A small product runs on one thread.
 * Differs from omp-tiled-local: A and B are read in the order in which they are packed, and C once a block of k.
 * Source: oneapi ("future work"), after Goto and van de Geijn (2008), and BLIS.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "common/gemm.h"

static int prepare(struct job *job)
{
    job->state = gemm_new(job, job->cell->m, job->cell->n, job->cell->k);
    return job->state ? 0 : -1;
}

static int run(struct job *job)
{
    const int64_t m = job->cell->m, n = job->cell->n, k = job->cell->k;
    gemm_multiply(job->state, &(struct gemm_product){
                                  .m = m,
                                  .n = n,
                                  .k = k,
                                  .a = {job->operand[0], k, 1},
                                  .b = {job->operand[1], n, 1},
                                  .c = job->operand[2],
                                  .c_row = n,
                                  .update = GEMM_SET,
                              });
    return 0;
}

static void release(struct job *job)
{
    gemm_free(job->state);
}

VARIANT(matmul, omp_packed) = {
    .summary = "GEMM from blocks packed for each cache level, with register tiles",
    .summary_ru = "GEMM из блоков, упакованных для каждого уровня кэша, с регистровыми тайлами",
    .source = "oneapi",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(threads) | HONOURS(mc) | HONOURS(nc) | HONOURS(kc),
    .typical_gflops = 50,
    .prepare = prepare,
    .run = run,
    .release = release,
};
