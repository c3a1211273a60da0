/* An honest mistake: the variant has a non-blocking stream of its own, and nothing waits for that stream.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_own_stream, "launches in a stream of its own");

#else

CUDA_ENTRY int matmul_cuda_own_stream_launch(struct job *job)
{
    static cudaStream_t own;
    if (!own)
        CUDA_TRY(job, cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    multiply<<<grid_of(job), block_of(job), 0, own>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
