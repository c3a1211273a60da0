/* C = A A^T by syrk of cuBLAS on one GPU, where the operands are made and verified: the baseline of several GPUs.
 * A (n x k) and C (n x n) lie column by column, as in the variants for several GPUs. The lower triangle is written.
 * The host has no copy of them, so that n is limited by the memory of the GPU alone. aat/cublas-syrk measures copies.
 * The default math mode keeps every bit of the type; f64 may run on tensor cores, which compute in f64.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "common/resident.h"

#ifdef __CUDACC__

#include "common/cublas.cuh"

MEMBER_ENTRY int aat_cublas_syrk_resident_prepare(struct job *job)
{
    return cublas_prepare(job, CUBLAS_DEFAULT_MATH);
}

MEMBER_ENTRY void aat_cublas_syrk_resident_release(struct job *job)
{
    cublas_release(job);
}

MEMBER_ENTRY int aat_cublas_syrk_resident_launch(struct job *job)
{
    const int n = (int)job->cell->n, k = (int)job->cell->k;
    void *const *x = job->operand;
    const cublasHandle_t handle = cublas_handle(job);
    if (job->cell->precision == F32) {
        const float one = 1, zero = 0;
        CUBLAS_TRY(job, cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &one, (const float *)x[0], n,
                                    &zero, (float *)x[1], n));
    } else {
        const double one = 1, zero = 0;
        CUBLAS_TRY(job, cublasDsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, k, &one, (const double *)x[0], n,
                                    &zero, (double *)x[1], n));
    }
    return 0;
}

#else

VARIANT(aat, cublas_syrk_resident) = {
    .summary = "syrk of cuBLAS on one GPU, without copies to the host",
    .summary_ru = "syrk из cuBLAS на одном GPU, без копирования на хост",
    .source = "baseline",
    .vendor = true,
    .library = "resident",
    .style = 5,
    .precisions = FLOATS,
    .axes = HONOURS(gpus),
    .defaults = {.gpus = 1},
    .tensor = BIT(F64),
    .symmetry = SYMMETRY_LOWER,
    .halved = true,
    .distribution = DISTRIBUTION_ROW,
    .one_process = true,
    .typical_gflops = 40000,
    .reject = resident_reject,
};

#endif
