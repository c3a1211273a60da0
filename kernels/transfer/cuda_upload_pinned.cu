/* Copies A (1 x n) from pinned memory of the host to the device, as C, by one call; any n.
 * The first run makes the host's copy of A. This run is verified and not timed.
 * The device reads the memory by itself, without the processor.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

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

#else

VARIANT(transfer, cuda_upload_pinned) = {
    .summary = "upload from pinned host memory",
    .summary_ru = "на устройство из закреплённой памяти хоста",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#endif
