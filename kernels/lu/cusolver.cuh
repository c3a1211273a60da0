/* getrf of cuSOLVER for its variants: handle, workspace, the call, and the device's report of a bad pivot.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_CUSOLVER_CUH
#define TILELAB_LU_CUSOLVER_CUH

#include "cuda_variant.cuh"
#include "pivot.h"

#include <cusolverDn.h>
#include <stdlib.h>

/* cuSOLVER has no function that names a status, so that the error tells its number. */
#define CUSOLVER_TRY(job, call) \
    do { \
        const cusolverStatus_t status_ = (call); \
        if (status_ != CUSOLVER_STATUS_SUCCESS) \
            return job_fail((job), "%s: status %d of cusolverStatus_t", #call, (int)status_); \
    } while (0)

struct getrf {
    cusolverDnHandle_t handle;
    void *work;
    int *info; /* on the device: the first step without a pivot, counted from 1; 0: none */
};

static void getrf_release(struct job *job)
{
    struct getrf *getrf = (struct getrf *)job->state;
    cudaFree(getrf->work);
    cudaFree(getrf->info);
    if (getrf->handle)
        cusolverDnDestroy(getrf->handle);
    free(getrf);
    job->state = NULL;
}

static int getrf_fill(struct job *job, struct getrf *getrf)
{
    const int n = (int)job->cell->n;
    const bool f32 = job->cell->precision == F32;
    float *single = (float *)job->operand[0];
    double *full = (double *)job->operand[0];
    int elements = 0;
    CUSOLVER_TRY(job, cusolverDnCreate(&getrf->handle));
    CUSOLVER_TRY(job, cusolverDnSetStream(getrf->handle, (cudaStream_t)job->stream));
    if (f32)
        CUSOLVER_TRY(job, cusolverDnSgetrf_bufferSize(getrf->handle, n, n, single, n, &elements));
    else
        CUSOLVER_TRY(job, cusolverDnDgetrf_bufferSize(getrf->handle, n, n, full, n, &elements));
    CUDA_TRY(job, cudaMalloc(&getrf->work, (size_t)elements * (f32 ? sizeof(float) : sizeof(double))));
    CUDA_TRY(job, cudaMalloc((void **)&getrf->info, sizeof(int)));
    return 0;
}

static int getrf_prepare(struct job *job)
{
    struct getrf *getrf = (struct getrf *)calloc(1, sizeof *getrf);
    if (!getrf)
        return job_fail(job, "out of memory for a handle of cuSOLVER");
    job->state = getrf;
    if (getrf_fill(job, getrf) == 0)
        return 0;
    getrf_release(job);
    return -1;
}

/* Without pivoting, `pivots` is NULL. */
static int getrf_launch(struct job *job, int *pivots)
{
    const struct getrf *getrf = (const struct getrf *)job->state;
    const int n = (int)job->cell->n;
    if (job->cell->precision == F32)
        CUSOLVER_TRY(job, cusolverDnSgetrf(getrf->handle, n, n, (float *)job->operand[0], n, (float *)getrf->work,
                                           pivots, getrf->info));
    else
        CUSOLVER_TRY(job, cusolverDnDgetrf(getrf->handle, n, n, (double *)job->operand[0], n, (double *)getrf->work,
                                           pivots, getrf->info));
    return 0;
}

/* Reports the last run. Earlier runs had the same matrix, and so the same report. */
static int getrf_check(struct job *job)
{
    const struct getrf *getrf = (const struct getrf *)job->state;
    int info;
    CUDA_TRY(job, cudaMemcpyAsync(&info, getrf->info, sizeof info, cudaMemcpyDeviceToHost, (cudaStream_t)job->stream));
    CUDA_TRY(job, cudaStreamSynchronize((cudaStream_t)job->stream));
    if (info > 0)
        return pivot_fail(job, info - 1, 0);
    return info == 0 ? 0 : job_fail(job, "cuSOLVER's getrf rejects argument %d", -info);
}

#endif
