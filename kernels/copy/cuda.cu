/* The copy bandwidth of a GPU's memory: C = A, both 1 x n.
 * Whatever the precision, 16 bytes a load and store, past the caches, and what is left over in
 * words of 4 bytes. A block takes runs of 64 KiB, eight loads a thread in flight before the first
 * store, and strides over A with the grid, which fills the GPU once.
 * Any n; it takes operands of several times the L2 to measure memory and not the caches.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

VARIANT(copy, cuda) = {
    .summary = "16-byte streaming accesses, eight loads in flight",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1000,
};

#else

enum { COPY_THREADS = 512, COPY_LOADS = 8, COPY_RUN = COPY_THREADS * COPY_LOADS };

__global__ void __launch_bounds__(COPY_THREADS)
    copy_words(int64_t vectors, int tail_words, const uint4 *__restrict__ from,
               uint4 *__restrict__ to)
{
    int64_t i = (int64_t)blockIdx.x * COPY_RUN + threadIdx.x;
    if (i < tail_words)
        ((uint32_t *)(to + vectors))[i] = ((const uint32_t *)(from + vectors))[i];
    for (; i + (COPY_LOADS - 1) * COPY_THREADS < vectors; i += (int64_t)gridDim.x * COPY_RUN) {
        uint4 v[COPY_LOADS];
#pragma unroll
        for (int load = 0; load < COPY_LOADS; load++)
            v[load] = __ldcs(from + i + load * COPY_THREADS);
#pragma unroll
        for (int load = 0; load < COPY_LOADS; load++)
            __stcs(to + i + load * COPY_THREADS, v[load]);
    }
    for (int load = 0; load < COPY_LOADS && i < vectors; load++, i += COPY_THREADS)
        to[i] = from[i];
}

CUDA_ENTRY int copy_cuda_launch(struct job *job)
{
    int device, multiprocessors, blocks;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job,
             cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, copy_words, COPY_THREADS, 0));
    const int64_t bytes = job->cell->n * (job->cell->precision == F64 ? 8 : 4);
    copy_words<<<multiprocessors * blocks, COPY_THREADS, 0, (cudaStream_t)job->stream>>>(
        bytes / 16, (int)(bytes % 16 / 4), (const uint4 *)job->operand[0],
        (uint4 *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
