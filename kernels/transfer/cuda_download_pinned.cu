/* Copies A (1 x n) from the device to pinned memory of the host by one call; any n.
 * prepare allocates the memory of the host, and _check copies the result back to the device as C: both are untimed.
 * The device writes the memory by itself, without the processor.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "copy.cuh"

CUDA_ENTRY int transfer_cuda_download_pinned_prepare(struct job *job)
{
    CUDA_TRY(job, cudaMallocHost(&job->state, transfer_bytes(job)));
    return 0;
}

CUDA_ENTRY int transfer_cuda_download_pinned_launch(struct job *job)
{
    return transfer_copy(job, job->state, job->operand[0], cudaMemcpyDeviceToHost);
}

CUDA_ENTRY int transfer_cuda_download_pinned_check(struct job *job)
{
    if (transfer_copy(job, job->operand[1], job->state, cudaMemcpyHostToDevice) != 0)
        return -1;
    CUDA_TRY(job, cudaStreamSynchronize((cudaStream_t)job->stream));
    return 0;
}

CUDA_ENTRY void transfer_cuda_download_pinned_release(struct job *job)
{
    cudaFreeHost(job->state);
}

#else

VARIANT(transfer, cuda_download_pinned) = {
    .summary = "download to pinned host memory",
    .summary_ru = "с устройства в закреплённую память хоста",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 1,
};

#endif
