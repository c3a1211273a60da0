/* The copy bandwidth of a GPU's memory: C = A, both 1 x n.
 * Whatever the precision, 16 bytes a load and store, and what is left over in words of 4 bytes.
 * The grid fills the GPU once and strides over A; a thread has four loads in flight, then stores.
 * Any n; it takes operands of several times the L2 to measure memory and not the caches.
 * Differs from the CPU probe in nothing but the split.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

VARIANT(copy, cuda) = {
    .summary = "16-byte accesses, four loads in flight",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1000,
};

#else

enum { COPY_THREADS = 256 };

__global__ void __launch_bounds__(COPY_THREADS)
    copy_words(int64_t vectors, int tail_words, const uint4 *__restrict__ from,
               uint4 *__restrict__ to)
{
    const int64_t stride = (int64_t)gridDim.x * COPY_THREADS;
    int64_t i = (int64_t)blockIdx.x * COPY_THREADS + threadIdx.x;
    if (i < tail_words)
        ((uint32_t *)(to + vectors))[i] = ((const uint32_t *)(from + vectors))[i];
    for (; i + 3 * stride < vectors; i += 4 * stride) {
        const uint4 v0 = from[i], v1 = from[i + stride], v2 = from[i + 2 * stride],
                    v3 = from[i + 3 * stride];
        to[i] = v0;
        to[i + stride] = v1;
        to[i + 2 * stride] = v2;
        to[i + 3 * stride] = v3;
    }
    for (; i < vectors; i += stride)
        to[i] = from[i];
}

CUDA_ENTRY int copy_cuda_launch(struct job *job)
{
    int device, multiprocessors, threads;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    const int64_t bytes = job->cell->n * (job->cell->precision == F64 ? 8 : 4);
    copy_words<<<multiprocessors *(threads / COPY_THREADS), COPY_THREADS, 0,
                 (cudaStream_t)job->stream>>>(bytes / 16, (int)(bytes % 16 / 4),
                                              (const uint4 *)job->operand[0],
                                              (uint4 *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
