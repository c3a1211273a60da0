/* The copy bandwidth of a GPU's memory: C = A, both 1 x n.
 * Whatever the precision, a thread moves 16 bytes, and what is left over is moved in words of 4.
 * Blocks come and go in the order of A: a grid that fills the GPU once and strides over A, or more
 * loads a thread, is slower by some per cent, since what is under way is then spread further.
 * Any n; it takes operands of several times the L2 to measure memory and not the caches.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(copy, cuda) = {
    .summary = "16 bytes a thread",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1000,
};

#else

enum { COPY_THREADS = 128, COPY_BYTES = 16 };

__global__ void __launch_bounds__(COPY_THREADS)
    copy_words(int64_t vectors, int tail_words, const uint4 *__restrict__ from, uint4 *__restrict__ to)
{
    const int64_t i = (int64_t)blockIdx.x * COPY_THREADS + threadIdx.x;
    if (i < vectors)
        to[i] = from[i];
    if (i < tail_words)
        ((uint32_t *)(to + vectors))[i] = ((const uint32_t *)(from + vectors))[i];
}

CUDA_ENTRY int copy_cuda_launch(struct job *job)
{
    const int64_t bytes = job->cell->n * cell_element_bytes(job->cell);
    const int64_t vectors = bytes / COPY_BYTES;
    copy_words<<<(unsigned)(vectors / COPY_THREADS + 1), COPY_THREADS, 0, (cudaStream_t)job->stream>>>(
        vectors, (int)(bytes % COPY_BYTES / 4), (const uint4 *)job->operand[0], (uint4 *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
