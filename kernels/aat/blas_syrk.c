/* C = A A^T by cblas_ssyrk or cblas_dsyrk of a library that is loaded at run time.
 * A (n x k) and C (n x n) are row-major and contiguous; sizes must fit 32-bit integers.
 * syrk writes the lower triangle only, with n (n + 1) k operations; the upper triangle stays as it was.
 * The library splits the work; beta = 0.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blas.h"

static int prepare(struct job *job)
{
    if (!job->blas->ssyrk || !job->blas->dsyrk)
        return job_fail(job, "%.200s has no cblas_ssyrk or no cblas_dsyrk", job->blas->path);
    return 0;
}

static int run(struct job *job)
{
    const struct blas *blas = job->blas;
    const int n = (int)job->cell->n, k = (int)job->cell->k;
    void *const *operand = job->operand;

    if (job->cell->precision == F32)
        blas->ssyrk(BLAS_ROW_MAJOR, BLAS_LOWER, BLAS_NO_TRANS, n, k, 1, operand[0], k, 0, operand[1], n);
    else
        blas->dsyrk(BLAS_ROW_MAJOR, BLAS_LOWER, BLAS_NO_TRANS, n, k, 1, operand[0], k, 0, operand[1], n);
    return 0;
}

VARIANT(aat, blas_syrk) = {
    .summary = "syrk of a BLAS library, lower triangle only",
    .summary_ru = "syrk библиотеки BLAS, только нижний треугольник",
    .source = "baseline",
    .vendor = true,
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .symmetry = SYMMETRY_LOWER,
    .halved = true,
    .typical_gflops = 100,
    .prepare = prepare,
    .run = run,
};
