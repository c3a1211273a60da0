/* From pinned memory of the host to the device: C, 1 x n, by one call.
 * The first run, which is verified and not timed, makes the copy of A on the host.
 * The device reads it by itself, without the processor.
 * Any n.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(transfer, cuda_upload_pinned) = {
    .summary = "upload from pinned memory",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#else

#include "copy.cuh"

CUDA_ENTRY int transfer_cuda_upload_pinned_launch(struct job *job)
{
    if (!job->state) {
        void *host;
        CUDA_TRY(job, cudaMallocHost(&host, transfer_bytes(job)));
        job->state = host;
        if (transfer_copy(job, host, job->operand[0], cudaMemcpyDeviceToHost) != 0)
            return -1;
    }
    return transfer_copy(job, job->operand[1], job->state, cudaMemcpyHostToDevice);
}

CUDA_ENTRY void transfer_cuda_upload_pinned_release(struct job *job)
{
    cudaFreeHost(job->state);
}

#endif
