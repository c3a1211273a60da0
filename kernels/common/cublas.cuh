/* Handles of cuBLAS, and those that are a job's whole state: for the device part of a kernel file. Made in prepare, untimed.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_CUBLAS_CUH
#define TILELAB_COMMON_CUBLAS_CUH

#include "variant.h"

#include <cublas_v2.h>

/* A handle on the job's stream. The caller destroys it if it is not NULL, also where this fails. */
static inline int cublas_open(struct job *job, cublasMath_t mode, cublasHandle_t *handle)
{
    *handle = NULL;
    CUBLAS_TRY(job, cublasCreate(handle));
    CUBLAS_TRY(job, cublasSetStream(*handle, (cudaStream_t)job->stream));
    CUBLAS_TRY(job, cublasSetMathMode(*handle, mode));
    return 0;
}

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
