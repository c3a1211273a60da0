/* C = A B by cuBLAS on the tensor cores: f32 rounded to TF32 (10 bits of mantissa), sums in f32.
 * A is m x k, B k x n, C m x n, row-major: passed swapped, as in cublas. C is not read.
 * Needs compute capability 8.0. The handle is made in prepare, untimed.
 * Checked against a bound of its own, which allows for the rounding of both operands.
 * Differs from cublas: the math mode.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(matmul, cublas_tf32) = {
    .summary = "sgemm of cuBLAS with TF32 inputs on the tensor cores",
    .source = "baseline",
    .library = "cublas",
    .style = 6,
    .precisions = BIT(F32),
    .tensor = BIT(F32),
    .compute_capability = 80,
    .input_roundoff = 0x1p-10,
    .typical_gflops = 150000,
};

#else

#include "common/cublas.cuh"

CUDA_ENTRY int matmul_cublas_tf32_prepare(struct job *job)
{
    return cublas_prepare(job, CUBLAS_TF32_TENSOR_OP_MATH);
}

CUDA_ENTRY int matmul_cublas_tf32_launch(struct job *job)
{
    const int m = (int)job->cell->m, n = (int)job->cell->n, k = (int)job->cell->k;
    const float one = 1, zero = 0;
    CUBLAS_TRY(job,
               cublasSgemm(cublas_handle(job), CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, (const float *)job->operand[1],
                           n, (const float *)job->operand[0], k, &zero, (float *)job->operand[2], n));
    return 0;
}

CUDA_ENTRY void matmul_cublas_tf32_release(struct job *job)
{
    cublas_release(job);
}

#endif
