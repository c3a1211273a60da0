/* P A = L U in place by LAPACK's sgetrf or dgetrf, of a library loaded at run time.
 * A (n x n), column by column, as LAPACK has matrices: the same matrix as that of other variants, given
 * and left so; pivots counted from 1. Any n within 32-bit integers.
 * Partial pivoting, for general matrices. Work is split as the library does it.
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
    .summary = "getrf of a library with LAPACK",
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
