/* Copies A (1 x n) from pageable memory of the host to the device, as C, by one call; any n.
 * The first run makes the host's copy of A. This run is verified and not timed.
 * The driver moves the bytes through pinned buffers of its own, piece by piece.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "copy.cuh"

#include <cstdlib>

CUDA_ENTRY int transfer_cuda_upload_pageable_launch(struct job *job)
{
    if (!job->state) {
        void *host = malloc(transfer_bytes(job));
        if (!host)
            return job_fail(job, "no memory for %zu bytes on the host", transfer_bytes(job));
        job->state = host;
        if (transfer_copy(job, host, job->operand[0], cudaMemcpyDeviceToHost) != 0)
            return -1;
    }
    return transfer_copy(job, job->operand[1], job->state, cudaMemcpyHostToDevice);
}

CUDA_ENTRY void transfer_cuda_upload_pageable_release(struct job *job)
{
    free(job->state);
}

#else

VARIANT(transfer, cuda_upload_pageable) = {
    .summary = "upload from pageable host memory",
    .summary_ru = "на устройство из обычной памяти хоста",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#endif
