/* No mistake: the neighbour on the device. It fails where the device is not as a new worker finds it.
 * SPDX-License-Identifier: MIT */
#include "product.cuh"

#ifndef __CUDACC__

CHEAT(cuda_witness, "a right product that says what others left changed");

#else

CUDA_ENTRY int matmul_cuda_witness_launch(struct job *job)
{
    cudaStreamAttrValue value = {};
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    multiply<<<grid_of(job), block_of(job), 0, stream>>>(ARGUMENTS(job));
    CUDA_TRY(job, cudaGetLastError());
    if (value.accessPolicyWindow.num_bytes > 0)
        return job_fail(job, "the stream has a window of persisting memory");
    return 0;
}

#endif
