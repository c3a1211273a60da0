/* C = A A^T by gemm of cuBLAS. A is given twice. prepare creates the handle, untimed.
 * A (n x k) and C (n x n) are row-major. cuBLAS is column-major and sees A^T (k x n), so the call transposes the first
 * factor. C is symmetric, so its storage order does not matter. C is not read.
 * The default math mode keeps every bit of the type: f32 does not use TF32; f64 may run on tensor cores, in f64.
 * Differs from cublas-syrk: both triangles are computed.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/cublas.cuh"

CUDA_ENTRY int aat_cublas_gemm_prepare(struct job *job)
{
    return cublas_prepare(job, CUBLAS_DEFAULT_MATH);
}

CUDA_ENTRY int aat_cublas_gemm_launch(struct job *job)
{
    const int n = (int)job->cell->n, k = (int)job->cell->k;
    const cublasHandle_t handle = cublas_handle(job);
    if (job->cell->precision == F32) {
        const float one = 1, zero = 0, *a = (const float *)job->operand[0];
        CUBLAS_TRY(job, cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, k, &one, a, k, a, k, &zero,
                                    (float *)job->operand[1], n));
    } else {
        const double one = 1, zero = 0, *a = (const double *)job->operand[0];
        CUBLAS_TRY(job, cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, k, &one, a, k, a, k, &zero,
                                    (double *)job->operand[1], n));
    }
    return 0;
}

CUDA_ENTRY void aat_cublas_gemm_release(struct job *job)
{
    cublas_release(job);
}

#else

VARIANT(aat, cublas_gemm) = {
    .summary = "gemm of cuBLAS with A and its transpose, without TF32",
    .summary_ru = "gemm из cuBLAS для A и транспонированной A, без TF32",
    .source = "baseline",
    .vendor = true,
    .library = "cublas",
    .style = 5,
    .precisions = FLOATS,
    .tensor = BIT(F64),
    .typical_gflops = 30000,
};

#endif
