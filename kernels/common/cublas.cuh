/* Handles of cuBLAS, for the device part of a kernel file. prepare() makes a handle, so that its cost is not timed.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_CUBLAS_CUH
#define TILELAB_COMMON_CUBLAS_CUH

#include "cuda_variant.cuh"

#include <cublas_v2.h>

/* Opens a handle on the job's stream. On failure too, the caller destroys the handle if it is not NULL. */
static inline int cublas_open(struct job *job, cublasMath_t mode, cublasHandle_t *handle)
{
    *handle = NULL;
    CUBLAS_TRY(job, cublasCreate(handle));
    CUBLAS_TRY(job, cublasSetStream(*handle, (cudaStream_t)job->stream));
    CUBLAS_TRY(job, cublasSetMathMode(*handle, mode));
    return 0;
}

/* --- For a variant whose whole state is its handle --- */

static inline cublasHandle_t cublas_handle(const struct job *job)
{
    return (cublasHandle_t)job->state;
}

static inline void cublas_release(struct job *job)
{
    cublasDestroy(cublas_handle(job));
    job->state = NULL;
}

static inline int cublas_prepare(struct job *job, cublasMath_t mode)
{
    cublasHandle_t handle;
    const int failed = cublas_open(job, mode, &handle);
    job->state = handle;
    if (failed && handle)
        cublas_release(job);
    return failed;
}

#endif
