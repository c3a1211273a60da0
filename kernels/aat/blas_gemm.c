/* C = A A^T by cblas_sgemm or cblas_dgemm of a library that is loaded at run time. A is given twice.
 * A (n x k) and C (n x n) are row-major and contiguous; sizes must fit 32-bit integers.
 * The library splits the work. beta = 0, so C is written and never read.
 * Differs from blas-*-syrk: both triangles are computed, as in any product.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blas.h"

static int run(struct job *job)
{
    const struct blas *blas = job->blas;
    const int n = (int)job->cell->n, k = (int)job->cell->k;
    void *const *operand = job->operand;

    if (job->cell->precision == F32)
        blas->sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_TRANS, n, n, k, 1, operand[0], k, operand[0], k, 0, operand[1],
                    n);
    else
        blas->dgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_TRANS, n, n, k, 1, operand[0], k, operand[0], k, 0, operand[1],
                    n);
    return 0;
}

VARIANT(aat, blas_gemm) = {
    .summary = "gemm of a BLAS library, with A and its transpose",
    .summary_ru = "gemm библиотеки BLAS для A и транспонированной A",
    .source = "baseline",
    .vendor = true,
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .typical_gflops = 50,
    .run = run,
};
