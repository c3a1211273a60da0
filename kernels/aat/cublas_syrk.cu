/* C = A A^T by syrk of cuBLAS, the baseline on an NVIDIA GPU. prepare creates the handle, untimed.
 * A (n x k) and C (n x n) are row-major. cuBLAS is column-major and sees A^T and C^T: its upper triangle is our lower.
 * syrk writes this triangle only, with n (n + 1) k operations; the other triangle stays as it was.
 * The default math mode keeps every bit of the type: f32 does not use TF32; f64 may run on tensor cores, in f64.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/cublas.cuh"

CUDA_ENTRY int aat_cublas_syrk_prepare(struct job *job)
{
    return cublas_prepare(job, CUBLAS_DEFAULT_MATH);
}

CUDA_ENTRY int aat_cublas_syrk_launch(struct job *job)
{
    const int n = (int)job->cell->n, k = (int)job->cell->k;
    const cublasHandle_t handle = cublas_handle(job);
    if (job->cell->precision == F32) {
        const float one = 1, zero = 0;
        CUBLAS_TRY(job, cublasSsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, k, &one,
                                    (const float *)job->operand[0], k, &zero, (float *)job->operand[1], n));
    } else {
        const double one = 1, zero = 0;
        CUBLAS_TRY(job, cublasDsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, k, &one,
                                    (const double *)job->operand[0], k, &zero, (double *)job->operand[1], n));
    }
    return 0;
}

CUDA_ENTRY void aat_cublas_syrk_release(struct job *job)
{
    cublas_release(job);
}

#else

VARIANT(aat, cublas_syrk) = {
    .summary = "syrk of cuBLAS, lower triangle only, without TF32",
    .summary_ru = "syrk из cuBLAS, только нижний треугольник, без TF32",
    .source = "baseline",
    .vendor = true,
    .library = "cublas",
    .style = 5,
    .precisions = FLOATS,
    .tensor = BIT(F64),
    .symmetry = SYMMETRY_LOWER,
    .halved = true,
    .typical_gflops = 40000,
};

#endif
