/* Slow but right: the variant has a non-blocking stream of its own, and waits for that stream before it returns.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_own_stream_waits, "launches in a stream of its own, and waits for it");

#else

CUDA_ENTRY int matmul_cuda_own_stream_waits_launch(struct job *job)
{
    static cudaStream_t own;
    if (!own)
        CUDA_TRY(job, cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    multiply<<<grid_of(job), block_of(job), 0, own>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaStreamSynchronize(own));
    return 0;
}

#endif
