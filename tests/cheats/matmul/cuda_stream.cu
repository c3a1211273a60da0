/* No mistake: the honest twin of the variants that mistake the stream.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_stream, "a right product in the stream of the job");

#else

CUDA_ENTRY int matmul_cuda_stream_launch(struct job *job)
{
    multiply<<<grid_of(job), block_of(job), 0, (cudaStream_t)job->stream>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
