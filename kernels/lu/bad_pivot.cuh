/* The first pivot that a factorisation on a device cannot use, because it is 0 or NaN. The kernels do not stop there;
 * the host reads the report after the runs.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_BAD_PIVOT_CUH
#define TILELAB_LU_BAD_PIVOT_CUH

#include "cuda_variant.cuh"
#include "pivot.h"

struct lu_bad_pivot {
    long long step; /* -1: none */
    double pivot;
};

/* Checks the pivot of a step. One thread calls this for each step, in the order of steps. */
static __device__ inline void lu_bad_pivot_note(lu_bad_pivot *bad_pivot, int64_t step, double pivot)
{
    const bool usable = pivot < 0 || pivot > 0;
    if (!usable && bad_pivot->step < 0) {
        bad_pivot->step = step;
        bad_pivot->pivot = pivot;
    }
}

static inline int lu_bad_pivot_clear(struct job *job, lu_bad_pivot *bad_pivot)
{
    const lu_bad_pivot none = {-1, 0};
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemcpyAsync(bad_pivot, &none, sizeof none, cudaMemcpyDefault, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    return 0;
}

/* Makes a report on the device; the caller frees it with cudaFree. Returns NULL and sets job->error on failure. */
static inline lu_bad_pivot *lu_bad_pivot_new(struct job *job)
{
    void *made;
    const cudaError_t status = cudaMalloc(&made, sizeof(lu_bad_pivot));
    if (status != cudaSuccess) {
        cudaGetLastError();
        job_fail(job, "cudaMalloc: %s", cuda_error_text(status));
        return NULL;
    }
    if (lu_bad_pivot_clear(job, (lu_bad_pivot *)made) == 0)
        return (lu_bad_pivot *)made;
    cudaFree(made);
    return NULL;
}

/* Turns a bad pivot into the job's error, once. The result is for `return` in a variant's _check. */
static inline int lu_bad_pivot_check(struct job *job, lu_bad_pivot *bad_pivot)
{
    lu_bad_pivot found;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemcpyAsync(&found, bad_pivot, sizeof found, cudaMemcpyDefault, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    if (found.step < 0)
        return 0;
    return lu_bad_pivot_clear(job, bad_pivot) == 0 ? pivot_fail(job, found.step, found.pivot) : -1;
}

#endif
