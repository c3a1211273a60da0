/* C = A B by gemm of cuBLASMp, on several GPUs with a process each: a baseline.
 * A (m x k), B (k x n) and C (m x n) are distributed in blocks of tile x tile over a grid that is nearly square. Parts
 * lie column by column.
 * The library splits the work; blocks travel through NCCL.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/cublasmp.cuh"

enum { A, B, C };

static int measure(struct job *job)
{
    struct cublasmp *state = (struct cublasmp *)job->state;
    const struct cell *cell = job->cell;
    CUBLASMP_TRY(job, cublasMpGemm_bufferSize(state->handle, CUBLAS_OP_N, CUBLAS_OP_N, cell->m, cell->n, cell->k,
                                              cublasmp_scalar(cell, 1), job->operand[A], 1, 1, state->matrix[A],
                                              job->operand[B], 1, 1, state->matrix[B], cublasmp_scalar(cell, 0),
                                              job->operand[C], 1, 1, state->matrix[C], cublasmp_compute(cell),
                                              &state->device_bytes, &state->host_bytes));
    return cublasmp_allocate(job);
}

MEMBER_ENTRY int matmul_cublasmp_prepare(struct job *job)
{
    if (cublasmp_open(job, 3) == 0 && measure(job) == 0)
        return 0;
    cublasmp_release(job);
    return -1;
}

MEMBER_ENTRY void matmul_cublasmp_release(struct job *job)
{
    cublasmp_release(job);
}

MEMBER_ENTRY int matmul_cublasmp_launch(struct job *job)
{
    struct cublasmp *state = (struct cublasmp *)job->state;
    const struct cell *cell = job->cell;
    CUBLASMP_TRY(job, cublasMpGemm(state->handle, CUBLAS_OP_N, CUBLAS_OP_N, cell->m, cell->n, cell->k,
                                   cublasmp_scalar(cell, 1), job->operand[A], 1, 1, state->matrix[A], job->operand[B],
                                   1, 1, state->matrix[B], cublasmp_scalar(cell, 0), job->operand[C], 1, 1,
                                   state->matrix[C], cublasmp_compute(cell), state->device_work, state->device_bytes,
                                   state->host_work, state->host_bytes));
    return 0;
}

#else

VARIANT(matmul, cublasmp) = {
    .summary = "gemm of cuBLASMp on several GPUs",
    .summary_ru = "gemm из cuBLASMp на нескольких GPU",
    .source = "baseline",
    .vendor = true,
    .library = "cublasmp",
    .style = 8,
    .precisions = FLOATS,
    .axes = HONOURS(gpus) | HONOURS(tile),
    .defaults = {.gpus = 2, .tile = 2048},
    .tensor = BIT(F64),
    .distribution = DISTRIBUTION_SQUARE,
    .typical_gflops = 80000,
};

#endif
