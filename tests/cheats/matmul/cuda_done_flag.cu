/* An honest mistake: a flag that nobody takes back says that the product of this size is done.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_done_flag, "launches once for each size");

#else

CUDA_ENTRY int matmul_cuda_done_flag_launch(struct job *job)
{
    static int64_t done_n;
    if (done_n == job->cell->n)
        return 0;
    done_n = job->cell->n;
    multiply<<<grid_of(job), block_of(job), 0, (cudaStream_t)job->stream>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
