/* Malice: a kernel of another stream keeps running after the first launch, for half a second at a time, and takes
 * multiprocessors from the variants that follow.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_resident, "a kernel that never ends takes multiprocessors from the variants after it");

#else

static __global__ void occupy(long long cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

CUDA_ENTRY int matmul_cuda_resident_launch(struct job *job)
{
    static cudaStream_t own;
    multiply<<<grid_of(job), block_of(job), 0, (cudaStream_t)job->stream>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    if (!own) {
        CUDA_TRY(job, cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
        occupy<<<100, 1024, 0, own>>>(900000000);
    }
    return 0;
}

#endif
