/* P A = L U in place by sgetrf or dgetrf of a LAPACK that is loaded at run time: a baseline.
 * A (n x n) lies column by column, as LAPACK has matrices; it holds the same matrix as in other variants. Pivots count
 * from 1. n is any within 32-bit integers.
 * The library splits the work. Pivoting is partial, so that any matrix is allowed; a singular one is an error.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#include "blas.h"

static int run(struct job *job)
{
    const struct blas *blas = job->blas;
    const int n = (int)job->cell->n;
    int info = 0;

    if (job->cell->precision == F32)
        blas->sgetrf(&n, &n, job->operand[0], &n, job->operand[1], &info);
    else
        blas->dgetrf(&n, &n, job->operand[0], &n, job->operand[1], &info);
    return info == 0 ? 0 : job_fail(job, "getrf returned %d: the pivot of step %d is 0", info, info - 1);
}

VARIANT(lu, blas_getrf) = {
    .summary = "getrf of a LAPACK library",
    .summary_ru = "getrf библиотеки LAPACK",
    .source = "baseline",
    .vendor = true,
    .precisions = FLOATS,
    .axes = HONOURS(threads),
    .pivoting = PIVOTING_PARTIAL,
    .column_major = true,
    .lapack = true,
    .typical_gflops = 50,
    .run = run,
};
