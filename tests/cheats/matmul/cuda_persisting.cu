/* Malice: A stays in a persisting part of the L2 cache, which the variant never gives back to the variants after it.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_persisting, "has most of the cache for itself, and keeps it");

#else

CUDA_ENTRY int matmul_cuda_persisting_launch(struct job *job)
{
    static bool set;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    if (!set) {
        cudaDeviceProp properties;
        cudaStreamAttrValue value = {};
        CUDA_TRY(job, cudaGetDeviceProperties(&properties, 0));
        CUDA_TRY(job, cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, properties.persistingL2CacheMaxSize));
        value.accessPolicyWindow.base_ptr = job->operand[0];
        value.accessPolicyWindow.num_bytes = c_bytes(job);
        value.accessPolicyWindow.hitRatio = 1;
        value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
        value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
        CUDA_TRY(job, cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
        set = true;
    }
    multiply<<<grid_of(job), block_of(job), 0, stream>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
