/* A = L U in place by cuSOLVER's getrf without pivots: the baseline of variants without pivoting.
 * A (n x n) lies column by column, as cuSOLVER has matrices; it holds the same matrix as in other variants.
 * n is any within 32-bit integers. prepare makes handle and workspace, untimed.
 * A must not need pivoting, and the run fails at a pivot that is 0.
 * Differs from cusolver: no search for pivots and no exchanges of rows. Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "cusolver.cuh"

CUDA_ENTRY int lu_cusolver_nopivot_prepare(struct job *job)
{
    return getrf_prepare(job);
}

CUDA_ENTRY int lu_cusolver_nopivot_launch(struct job *job)
{
    return getrf_launch(job, NULL);
}

CUDA_ENTRY int lu_cusolver_nopivot_check(struct job *job)
{
    return getrf_check(job);
}

CUDA_ENTRY void lu_cusolver_nopivot_release(struct job *job)
{
    getrf_release(job);
}

#else

VARIANT(lu, cusolver_nopivot) = {
    .summary = "getrf of cuSOLVER without pivoting",
    .summary_ru = "getrf из cuSOLVER без выбора ведущего элемента",
    .source = "baseline",
    .vendor = true,
    .library = "cusolver",
    .style = 6,
    .precisions = FLOATS,
    .tensor = BIT(F64),
    .column_major = true,
    .typical_gflops = 10000,
};

#endif
