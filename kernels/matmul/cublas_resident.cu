/* C = A B by gemm of cuBLAS on one GPU, where the operands are made and verified: the baseline of several GPUs.
 * A (m x k), B (k x n) and C (m x n) lie column by column, as in the variants for several GPUs.
 * The host has no copy of them, so that n is limited by the memory of the GPU alone. matmul/cublas measures copies too.
 * The default math mode keeps every bit of the type; f64 may run on tensor cores, which compute in f64.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "common/resident.h"

#ifdef __CUDACC__

#include "common/cublas.cuh"

MEMBER_ENTRY int matmul_cublas_resident_prepare(struct job *job)
{
    return cublas_prepare(job, CUBLAS_DEFAULT_MATH);
}

MEMBER_ENTRY void matmul_cublas_resident_release(struct job *job)
{
    cublas_release(job);
}

MEMBER_ENTRY int matmul_cublas_resident_launch(struct job *job)
{
    const int m = (int)job->cell->m, n = (int)job->cell->n, k = (int)job->cell->k;
    void *const *x = job->operand;
    const cublasHandle_t handle = cublas_handle(job);
    if (job->cell->precision == F32) {
        const float one = 1, zero = 0;
        CUBLAS_TRY(job, cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, (const float *)x[0], m,
                                    (const float *)x[1], k, &zero, (float *)x[2], m));
    } else {
        const double one = 1, zero = 0;
        CUBLAS_TRY(job, cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, (const double *)x[0], m,
                                    (const double *)x[1], k, &zero, (double *)x[2], m));
    }
    return 0;
}

#else

VARIANT(matmul, cublas_resident) = {
    .summary = "gemm of cuBLAS on one GPU, without copies to the host",
    .summary_ru = "gemm из cuBLAS на одном GPU, без копирования на хост",
    .source = "baseline",
    .vendor = true,
    .library = "resident",
    .style = 5,
    .precisions = FLOATS,
    .axes = HONOURS(gpus),
    .defaults = {.gpus = 1},
    .tensor = BIT(F64),
    .distribution = DISTRIBUTION_ROW,
    .one_process = true,
    .typical_gflops = 30000,
    .reject = resident_reject,
};

#endif
