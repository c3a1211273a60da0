/* Right: a stream of the variant's own begins after what is in job->stream, and job->stream waits for its end.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_forked_stream, "forks a stream of its own, and joins it");

#else

CUDA_ENTRY int matmul_cuda_forked_stream_launch(struct job *job)
{
    static cudaStream_t own;
    static cudaEvent_t fork, join;
    if (!own) {
        CUDA_TRY(job, cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
        CUDA_TRY(job, cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
        CUDA_TRY(job, cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    }
    CUDA_TRY(job, cudaEventRecord(fork, (cudaStream_t)job->stream));
    CUDA_TRY(job, cudaStreamWaitEvent(own, fork, 0));
    multiply<<<grid_of(job), block_of(job), 0, own>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaEventRecord(join, own));
    CUDA_TRY(job, cudaStreamWaitEvent((cudaStream_t)job->stream, join, 0));
    return 0;
}

#endif
