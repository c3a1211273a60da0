/* To pageable memory of the host from the device: A, 1 x n, by one call.
 * The memory on the host is taken in prepare, and check brings what came back as C: both untimed.
 * The driver moves it through pinned buffers of its own, piece by piece.
 * Any n.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

VARIANT(transfer, cuda_download_pageable) = {
    .summary = "download to pageable memory",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#else

#include <cstdlib>

static size_t bytes_of(const struct job *job)
{
    return (size_t)job->cell->n * sizeof(float);
}

static int copy(struct job *job, void *to, const void *from, cudaMemcpyKind kind)
{
    CUDA_TRY(job, cudaMemcpyAsync(to, from, bytes_of(job), kind, (cudaStream_t)job->stream));
    return 0;
}

CUDA_ENTRY int transfer_cuda_download_pageable_prepare(struct job *job)
{
    job->state = malloc(bytes_of(job));
    if (!job->state)
        return job_fail(job, "no memory for %zu bytes on the host", bytes_of(job));
    memset(job->state, 0xFF, bytes_of(job)); /* its pages are there before they are timed */
    return 0;
}

CUDA_ENTRY int transfer_cuda_download_pageable_launch(struct job *job)
{
    return copy(job, job->state, job->operand[0], cudaMemcpyDeviceToHost);
}

CUDA_ENTRY int transfer_cuda_download_pageable_check(struct job *job)
{
    if (copy(job, job->operand[1], job->state, cudaMemcpyHostToDevice) != 0)
        return -1;
    CUDA_TRY(job, cudaStreamSynchronize((cudaStream_t)job->stream));
    return 0;
}

CUDA_ENTRY void transfer_cuda_download_pageable_release(struct job *job)
{
    free(job->state);
}

#endif
