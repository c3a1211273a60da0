/* C = A B by cuBLAS, the baseline on an NVIDIA GPU. prepare creates the handle, untimed.
 * A (m x k), B (k x n) and C (m x n) are row-major. cuBLAS is column-major and sees each matrix as its transpose.
 * The call therefore computes C^T = B^T A^T: the operands are swapped, and so are n and m. C is not read.
 * The default math mode keeps every bit of the type: f32 does not use TF32 (see cublas-tf32). f64 may run on tensor
 * cores, which compute in f64.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/cublas.cuh"

CUDA_ENTRY int matmul_cublas_prepare(struct job *job)
{
    return cublas_prepare(job, CUBLAS_DEFAULT_MATH);
}

CUDA_ENTRY int matmul_cublas_launch(struct job *job)
{
    const int m = (int)job->cell->m, n = (int)job->cell->n, k = (int)job->cell->k;
    const cublasHandle_t handle = cublas_handle(job);
    if (job->cell->precision == F32) {
        const float one = 1, zero = 0;
        CUBLAS_TRY(job, cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, (const float *)job->operand[1], n,
                                    (const float *)job->operand[0], k, &zero, (float *)job->operand[2], n));
    } else {
        const double one = 1, zero = 0;
        CUBLAS_TRY(job, cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, (const double *)job->operand[1], n,
                                    (const double *)job->operand[0], k, &zero, (double *)job->operand[2], n));
    }
    return 0;
}

CUDA_ENTRY void matmul_cublas_release(struct job *job)
{
    cublas_release(job);
}

#else

VARIANT(matmul, cublas) = {
    .summary = "gemm of cuBLAS, without TF32",
    .summary_ru = "gemm из cuBLAS, без TF32",
    .source = "baseline",
    .vendor = true,
    .library = "cublas",
    .style = 5,
    .precisions = FLOATS,
    .tensor = BIT(F64),
    .typical_gflops = 30000,
};

#endif
