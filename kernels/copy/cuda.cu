/* The copy bandwidth of a GPU's memory: C = A.
 * A and C are 1 x n; any n. To measure memory instead of caches, the operands must be several times as large as the L2.
 * A thread moves 16 bytes, whatever the precision; the rest is moved in words of 4 bytes. Blocks run in the order of A.
 * Two other ways are some per cent slower, because they spread the accesses under way further: a grid that fills the
 * GPU once and strides over A, and several loads a thread.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

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

#else

VARIANT(copy, cuda) = {
    .summary = "16 bytes for each thread",
    .summary_ru = "16 байт на поток",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1000,
};

#endif
