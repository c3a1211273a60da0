/* An honest mistake: the code comes from a project that is compiled with --default-stream per-thread.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_thread_stream, "launches in the default stream of the thread");

#else

CUDA_ENTRY int matmul_cuda_thread_stream_launch(struct job *job)
{
    multiply<<<grid_of(job), block_of(job), 0, cudaStreamPerThread>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
