/* The sustained multiply-add rate of a GPU: m independent sums x = a x + b of n steps each.
 * X and Y are m x 1. P holds a and b, which are read at run time, so that the compiler cannot fold the steps.
 * A thread keeps 16 sums in registers, which hides the latency of the FMA unit. A block owns 4096 neighbouring sums;
 * the sums of its threads are interleaved, so that loads and stores are coalesced.
 * Any m (the last block is guarded) and any n. The full rate needs enough blocks to fill the GPU.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

enum { FMA_THREADS = 256, FMA_SUMS = 16 };

template <typename real>
__global__ void __launch_bounds__(FMA_THREADS)
    fma_sums(int64_t m, int64_t n, const real *__restrict__ x, const real *__restrict__ p, real *__restrict__ y)
{
    const int64_t first = (int64_t)blockIdx.x * FMA_THREADS * FMA_SUMS + threadIdx.x;
    const real a = p[0], b = p[1];
    real sum[FMA_SUMS];
#pragma unroll
    for (int i = 0; i < FMA_SUMS; i++)
        sum[i] = first + i * FMA_THREADS < m ? x[first + i * FMA_THREADS] : real(0);
#pragma unroll 8
    for (int step = 0; step < (int)n; step++) {
#pragma unroll
        for (int i = 0; i < FMA_SUMS; i++)
            sum[i] = a * sum[i] + b;
    }
#pragma unroll
    for (int i = 0; i < FMA_SUMS; i++)
        if (first + i * FMA_THREADS < m)
            y[first + i * FMA_THREADS] = sum[i];
}

template <typename real> static int launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const int64_t block_sums = FMA_THREADS * FMA_SUMS;
    fma_sums<<<(unsigned)((cell->m + block_sums - 1) / block_sums), FMA_THREADS, 0, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, (const real *)job->operand[0], (const real *)job->operand[1], (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(fma_cuda)

#else

VARIANT(fma, cuda) = {
    .summary = "sixteen independent sums in registers for each thread",
    .summary_ru = "шестнадцать независимых сумм в регистрах каждого потока",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_FMA,
    .typical_gflops = 20000,
};

#endif
