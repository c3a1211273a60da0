/* P A = L U in place by cuSOLVER's getrf: the baseline on an NVIDIA GPU.
 * A (n x n) lies column by column, as cuSOLVER has matrices; it holds the same matrix as in other variants. Pivots
 * count from 1. n is any within 32-bit integers.
 * Pivoting is partial, so that any matrix is allowed. prepare makes handle and workspace, untimed.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "cusolver.cuh"

CUDA_ENTRY int lu_cusolver_prepare(struct job *job)
{
    return getrf_prepare(job);
}

CUDA_ENTRY int lu_cusolver_launch(struct job *job)
{
    return getrf_launch(job, (int *)job->operand[1]);
}

CUDA_ENTRY int lu_cusolver_check(struct job *job)
{
    return getrf_check(job);
}

CUDA_ENTRY void lu_cusolver_release(struct job *job)
{
    getrf_release(job);
}

#else

VARIANT(lu, cusolver) = {
    .summary = "getrf of cuSOLVER",
    .summary_ru = "getrf из cuSOLVER",
    .source = "baseline",
    .vendor = true,
    .library = "cusolver",
    .style = 5,
    .precisions = FLOATS,
    .tensor = BIT(F64),
    .pivoting = PIVOTING_PARTIAL,
    .column_major = true,
    .typical_gflops = 8000,
};

#endif
