/* A job's handle of cuBLAS, in its state: for the device part of a kernel file. Made in prepare, untimed.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_CUBLAS_JOB_CUH
#define TILELAB_CUBLAS_JOB_CUH

#include "variant.h"

#include <cublas_v2.h>

static inline cublasHandle_t cublas_job_handle(const struct job *job)
{
    return (cublasHandle_t)job->state;
}

static inline void cublas_job_release(struct job *job)
{
    cublasDestroy(cublas_job_handle(job));
    job->state = NULL;
}

static inline int cublas_job_configure(struct job *job, cublasMath_t mode)
{
    CUBLAS_TRY(job, cublasSetStream(cublas_job_handle(job), (cudaStream_t)job->stream));
    CUBLAS_TRY(job, cublasSetMathMode(cublas_job_handle(job), mode));
    return 0;
}

static inline int cublas_job_prepare(struct job *job, cublasMath_t mode)
{
    cublasHandle_t handle;
    CUBLAS_TRY(job, cublasCreate(&handle));
    job->state = handle;
    if (cublas_job_configure(job, mode) == 0)
        return 0;
    cublas_job_release(job);
    return -1;
}

#endif
