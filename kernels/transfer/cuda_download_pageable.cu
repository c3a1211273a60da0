/* Copies A (1 x n) from the device to pageable memory of the host by one call; any n.
 * prepare allocates the memory of the host, and _check copies the result back to the device as C: both are untimed.
 * The driver moves the bytes through pinned buffers of its own, piece by piece.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "copy.cuh"

#include <cstdlib>

CUDA_ENTRY int transfer_cuda_download_pageable_prepare(struct job *job)
{
    job->state = malloc(transfer_bytes(job));
    if (!job->state)
        return job_fail(job, "no memory for %zu bytes on the host", transfer_bytes(job));
    memset(job->state, 0xFF, transfer_bytes(job)); /* the pages exist before a run is timed */
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

#else

VARIANT(transfer, cuda_download_pageable) = {
    .summary = "download to pageable host memory",
    .summary_ru = "с устройства в обычную память хоста",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#endif
