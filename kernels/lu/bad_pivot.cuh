/* Where a factorisation on a device got bad_pivot: the first pivot that cannot be used. The kernels go on with what is no
 * number; the host reads the word after the runs.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_BAD_PIVOT_CUH
#define TILELAB_LU_BAD_PIVOT_CUH

#include "pivot.h"

struct lu_bad_pivot {
    long long step; /* -1: nowhere */
    double pivot;
};

/* Called by one thread for each step, steps in order. */
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
    const lu_bad_pivot nowhere = {-1, 0};
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemcpyAsync(bad_pivot, &nowhere, sizeof nowhere, cudaMemcpyDefault, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    return 0;
}

/* NULL, with job->error set, on failure. */
static inline lu_bad_pivot *lu_bad_pivot_new(struct job *job)
{
    void *made;
    const cudaError_t status = cudaMalloc(&made, sizeof(lu_bad_pivot));
    if (status != cudaSuccess) {
        cudaGetLastError();
        job_fail(job, "cudaMalloc: %s", cudaGetErrorString(status));
        return NULL;
    }
    if (lu_bad_pivot_clear(job, (lu_bad_pivot *)made) == 0)
        return (lu_bad_pivot *)made;
    cudaFree(made);
    return NULL;
}

/* For `return` in a _check. What was found is told once. */
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
