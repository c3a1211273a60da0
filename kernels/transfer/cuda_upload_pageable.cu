/* From pageable memory of the host to the device: C, 1 x n, by one call.
 * The first run, which is verified and not timed, makes the copy of A on the host.
 * The driver moves it through pinned buffers of its own, piece by piece.
 * Any n.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

VARIANT(transfer, cuda_upload_pageable) = {
    .summary = "upload from pageable memory",
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

CUDA_ENTRY int transfer_cuda_upload_pageable_launch(struct job *job)
{
    if (!job->state) {
        void *host = malloc(bytes_of(job));
        if (!host)
            return job_fail(job, "no memory for %zu bytes on the host", bytes_of(job));
        job->state = host;
        if (copy(job, host, job->operand[0], cudaMemcpyDeviceToHost) != 0)
            return -1;
    }
    return copy(job, job->operand[1], job->state, cudaMemcpyHostToDevice);
}

CUDA_ENTRY void transfer_cuda_upload_pageable_release(struct job *job)
{
    free(job->state);
}

#endif
