/* An honest mistake: the variant has a stream of its own, which waits for the default stream alone.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_blocking_stream, "launches in a blocking stream of its own");

#else

CUDA_ENTRY int matmul_cuda_blocking_stream_launch(struct job *job)
{
    static cudaStream_t own;
    if (!own)
        CUDA_TRY(job, cudaStreamCreate(&own));
    multiply<<<grid_of(job), block_of(job), 0, own>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
