/* C = A B by cblas_sgemm or cblas_dgemm of a library that is loaded at run time.
 * A (m x k), B (k x n) and C (m x n) are row-major and contiguous; sizes must fit 32-bit integers.
 * The library splits the work. beta = 0, so C is written and never read.
 * f32 and f64 only: BLAS has no integer product.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blas.h"

static const char *reject(const struct cell *cell)
{
    return cell->precision == I32 ? "no BLAS computes integers" : NULL;
}

static int run(struct job *job)
{
    const struct blas *blas = job->blas;
    const int m = (int)job->cell->m, n = (int)job->cell->n, k = (int)job->cell->k;
    void *const *operand = job->operand;

    if (job->cell->precision == F32)
        blas->sgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, m, n, k, 1, operand[0], k, operand[1], n, 0,
                    operand[2], n);
    else
        blas->dgemm(BLAS_ROW_MAJOR, BLAS_NO_TRANS, BLAS_NO_TRANS, m, n, k, 1, operand[0], k, operand[1], n, 0,
                    operand[2], n);
    return 0;
}

VARIANT(matmul, blas) = {
    .summary = "gemm of a BLAS library",
    .summary_ru = "gemm библиотеки BLAS",
    .source = "baseline",
    .vendor = true,
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .typical_gflops = 50,
    .reject = reject,
    .run = run,
};
