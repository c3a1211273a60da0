/* An honest mistake: <<<grid, block>>>, as every textbook prints it, launches in the default stream.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_default_stream, "launches without a stream, as textbooks do");

#else

CUDA_ENTRY int matmul_cuda_default_stream_launch(struct job *job)
{
    multiply<<<grid_of(job), block_of(job)>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
