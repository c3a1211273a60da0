/* P A = L U in place by getrf of cuSOLVER on one GPU, where A is made and verified: the baseline of several GPUs.
 * A (n x n) lies column by column. The host has no copy of A, so that n is limited by the memory of the GPU alone.
 * Pivoting is partial, so that any matrix is allowed; a singular one is an error. The 64-bit interface of the library
 * takes any n. lu/cusolver measures copies too.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "common/resident.h"

#ifdef __CUDACC__

#include <cusolverDn.h>
#include <stdlib.h>

struct resident {
    cusolverDnHandle_t handle;
    int64_t *pivots;
    int *info;
    void *device_work, *host_work;
    size_t device_bytes, host_bytes;
};

#define DN_TRY(job, call) \
    do { \
        const cusolverStatus_t status_ = (call); \
        if (status_ != CUSOLVER_STATUS_SUCCESS) \
            return job_fail((job), "%.80s: status %d", #call, (int)status_); \
    } while (0)

static cudaDataType type_of(const struct job *job)
{
    return job->cell->precision == F64 ? CUDA_R_64F : CUDA_R_32F;
}

MEMBER_ENTRY void lu_cusolver_resident_release(struct job *job)
{
    struct resident *state = (struct resident *)job->state;
    if (state->handle)
        cusolverDnDestroy(state->handle);
    cudaFree(state->pivots);
    cudaFree(state->info);
    cudaFree(state->device_work);
    free(state->host_work);
    delete state;
    job->state = NULL;
}

static int make(struct job *job, struct resident *state)
{
    const int64_t n = job->cell->n;
    DN_TRY(job, cusolverDnCreate(&state->handle));
    DN_TRY(job, cusolverDnSetStream(state->handle, (cudaStream_t)job->stream));
    DN_TRY(job, cusolverDnXgetrf_bufferSize(state->handle, NULL, n, n, type_of(job), job->operand[0], n, type_of(job),
                                            &state->device_bytes, &state->host_bytes));
    CUDA_TRY(job, cudaMalloc((void **)&state->pivots, (size_t)n * sizeof(int64_t)));
    CUDA_TRY(job, cudaMalloc((void **)&state->info, sizeof(int)));
    CUDA_TRY(job, cudaMalloc(&state->device_work, state->device_bytes + 1));
    state->host_work = malloc(state->host_bytes + 1);
    return state->host_work ? 0 : job_fail(job, "no memory for %zu bytes of workspace", state->host_bytes);
}

MEMBER_ENTRY int lu_cusolver_resident_prepare(struct job *job)
{
    struct resident *state = new resident();
    job->state = state;
    if (make(job, state) == 0)
        return 0;
    lu_cusolver_resident_release(job);
    return -1;
}

/* The library leaves on the device whether it has met a pivot of 0. */
static int judge(struct job *job, const struct resident *state, const char *call)
{
    int info = 0;
    CUDA_TRY(job, cudaStreamSynchronize((cudaStream_t)job->stream));
    CUDA_TRY(job, cudaMemcpy(&info, state->info, sizeof info, cudaMemcpyDeviceToHost));
    return info == 0 ? 0 : job_fail(job, "%s returned %d", call, info);
}

MEMBER_ENTRY int lu_cusolver_resident_launch(struct job *job)
{
    struct resident *state = (struct resident *)job->state;
    const int64_t n = job->cell->n;
    DN_TRY(job,
           cusolverDnXgetrf(state->handle, NULL, n, n, type_of(job), job->operand[0], n, state->pivots, type_of(job),
                            state->device_work, state->device_bytes, state->host_work, state->host_bytes, state->info));
    return judge(job, state, "getrf");
}

MEMBER_ENTRY int lu_cusolver_resident_solve(struct job *job, struct team_matrix *x)
{
    struct resident *state = (struct resident *)job->state;
    const int64_t n = job->cell->n;
    DN_TRY(job, cusolverDnXgetrs(state->handle, NULL, CUBLAS_OP_N, n, 1, type_of(job), job->operand[0], n,
                                 state->pivots, type_of(job), x->part[0].data, n, state->info));
    return judge(job, state, "getrs");
}

#else

VARIANT(lu, cusolver_resident) = {
    .summary = "getrf of cuSOLVER on one GPU, without copies to the host",
    .summary_ru = "getrf из cuSOLVER на одном GPU, без копирования на хост",
    .source = "baseline",
    .vendor = true,
    .library = "resident",
    .style = 5,
    .precisions = FLOATS,
    .axes = HONOURS(gpus),
    .defaults = {.gpus = 1},
    .tensor = BIT(F64),
    .pivoting = PIVOTING_PARTIAL,
    .column_major = true,
    .distribution = DISTRIBUTION_ROW,
    .one_process = true,
    .typical_gflops = 8000,
    .reject = resident_reject,
};

#endif
