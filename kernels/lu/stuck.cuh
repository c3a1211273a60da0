/* Where a factorisation on a device got stuck: the first pivot that cannot be used. The kernels go on with what is no
 * number; the host reads the word after the runs.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_STUCK_CUH
#define TILELAB_LU_STUCK_CUH

#include "pivot.h"

struct lu_stuck {
    long long step; /* -1: nowhere */
    double pivot;
};

/* Called by one thread for each step, steps in order. */
static __device__ inline void lu_look_at_pivot(lu_stuck *stuck, int64_t step, double pivot)
{
    const bool usable = pivot < 0 || pivot > 0;
    if (!usable && stuck->step < 0) {
        stuck->step = step;
        stuck->pivot = pivot;
    }
}

static inline int lu_stuck_clear(struct job *job, lu_stuck *stuck)
{
    const lu_stuck nowhere = {-1, 0};
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemcpyAsync(stuck, &nowhere, sizeof nowhere, cudaMemcpyDefault, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    return 0;
}

/* NULL, with job->error set, on failure. */
static inline lu_stuck *lu_stuck_make(struct job *job)
{
    void *made;
    const cudaError_t status = cudaMalloc(&made, sizeof(lu_stuck));
    if (status != cudaSuccess) {
        cudaGetLastError();
        job_fail(job, "cudaMalloc: %s", cudaGetErrorString(status));
        return NULL;
    }
    if (lu_stuck_clear(job, (lu_stuck *)made) == 0)
        return (lu_stuck *)made;
    cudaFree(made);
    return NULL;
}

/* For `return` in a _check. What was found is told once. */
static inline int lu_stuck_check(struct job *job, lu_stuck *stuck)
{
    lu_stuck found;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemcpyAsync(&found, stuck, sizeof found, cudaMemcpyDefault, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    if (found.step < 0)
        return 0;
    return lu_stuck_clear(job, stuck) == 0 ? pivot_fail(job, found.step, found.pivot) : -1;
}

#endif
