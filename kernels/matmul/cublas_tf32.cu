/* C = A B by cuBLAS on tensor cores: f32 inputs are rounded to TF32, which has 10 bits of mantissa; sums are f32.
 * A (m x k), B (k x n) and C (m x n) are row-major; operands are swapped as in cublas. C is not read.
 * It needs compute capability 8.0. prepare creates the handle, untimed.
 * Results are checked against a bound of their own, which allows for the rounding of both operands.
 * Differs from cublas: the math mode.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

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

#else

VARIANT(matmul, cublas_tf32) = {
    .summary = "sgemm of cuBLAS with TF32 inputs on the tensor cores",
    .summary_ru = "sgemm из cuBLAS с входами TF32 на тензорных ядрах",
    .source = "baseline",
    .library = "cublas",
    .style = 6,
    .precisions = BIT(F32),
    .tensor = BIT(F32),
    .compute_capability = 80,
    .input_roundoff = 0x1p-10,
    .input_floor = 0x1p-136, /* the smallest TF32 number */
    .typical_gflops = 150000,
};

#endif
