/* C = A B by gemm of cublasXt, on several GPUs that one process drives: a baseline.
 * A (m x k), B (k x n) and C (m x n) lie whole in pinned host memory, column by column. So a product may be larger than
 * the memory of all GPUs. Pinning counts as allocation, not as a run.
 * The library splits C into blocks of tile x tile, and copies blocks of A, B and C to and from the GPUs in each run.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "team_variant.h"

#include <cublasXt.h>
#include <cublas_v2.h>

MEMBER_ENTRY void matmul_cublasxt_release(struct job *job)
{
    cublasXtDestroy((cublasXtHandle_t)job->state);
    job->state = NULL;
}

static int select(struct job *job, cublasXtHandle_t handle)
{
    int device[TEAM_PARTS_MAX];
    for (int i = 0; i < job->team->devices && i < TEAM_PARTS_MAX; i++)
        device[i] = i;
    CUBLAS_TRY(job, cublasXtDeviceSelect(handle, job->team->devices, device));
    CUBLAS_TRY(job, cublasXtSetBlockDim(handle, (int)job->cell->tile));
    return 0;
}

MEMBER_ENTRY int matmul_cublasxt_prepare(struct job *job)
{
    cublasXtHandle_t handle = NULL;
    if (job->team->devices > TEAM_PARTS_MAX)
        return job_fail(job, "more than %d GPUs in one process", TEAM_PARTS_MAX);
    CUBLAS_TRY(job, cublasXtCreate(&handle));
    job->state = handle;
    if (select(job, handle) == 0)
        return 0;
    matmul_cublasxt_release(job);
    return -1;
}

MEMBER_ENTRY int matmul_cublasxt_launch(struct job *job)
{
    cublasXtHandle_t handle = (cublasXtHandle_t)job->state;
    const size_t m = (size_t)job->cell->m, n = (size_t)job->cell->n, k = (size_t)job->cell->k;
    void *const *x = job->operand;
    if (job->cell->precision == F64) {
        const double one = 1, zero = 0;
        CUBLAS_TRY(job, cublasXtDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, (double *)x[0], m,
                                      (double *)x[1], k, &zero, (double *)x[2], m));
    } else {
        const float one = 1, zero = 0;
        CUBLAS_TRY(job, cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, (float *)x[0], m, (float *)x[1],
                                      k, &zero, (float *)x[2], m));
    }
    return 0;
}

#else

VARIANT(matmul, cublasxt) = {
    .summary = "gemm of cublasXt on several GPUs, from pinned host memory",
    .summary_ru = "gemm из cublasXt на нескольких GPU, из закреплённой памяти хоста",
    .source = "baseline",
    .vendor = true,
    .library = "cublasxt",
    .style = 9,
    .precisions = FLOATS,
    .axes = HONOURS(gpus) | HONOURS(tile),
    .defaults = {.gpus = 2, .tile = 4096},
    .tensor = BIT(F64),
    .distribution = DISTRIBUTION_WHOLE,
    .one_process = true,
    .typical_gflops = 30000,
};

#endif
