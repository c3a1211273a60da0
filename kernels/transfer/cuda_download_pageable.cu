/* To pageable memory of the host from the device: A, 1 x n, by one call.
 * The memory on the host is taken in prepare, and check brings what came back as C: both untimed.
 * The driver moves it through pinned buffers of its own, piece by piece.
 * Any n.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(transfer, cuda_download_pageable) = {
    .summary = "download to pageable memory",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#else

#include "copy.cuh"

#include <cstdlib>

CUDA_ENTRY int transfer_cuda_download_pageable_prepare(struct job *job)
{
    job->state = malloc(transfer_bytes(job));
    if (!job->state)
        return job_fail(job, "no memory for %zu bytes on the host", transfer_bytes(job));
    memset(job->state, 0xFF, transfer_bytes(job)); /* its pages are there before they are timed */
    return 0;
}

CUDA_ENTRY int transfer_cuda_download_pageable_launch(struct job *job)
{
    return transfer_copy(job, job->state, job->operand[0], cudaMemcpyDeviceToHost);
}

CUDA_ENTRY int transfer_cuda_download_pageable_check(struct job *job)
{
    if (transfer_copy(job, job->operand[1], job->state, cudaMemcpyHostToDevice) != 0)
        return -1;
    CUDA_TRY(job, cudaStreamSynchronize((cudaStream_t)job->stream));
    return 0;
}

CUDA_ENTRY void transfer_cuda_download_pageable_release(struct job *job)
{
    free(job->state);
}

#endif
