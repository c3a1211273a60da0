/* The bandwidth of shared memory: each of m threads adds up n groups of four floats from a table in shared memory.
 * X (256 x 4) is the table, Y (m x 4) holds the sums; any m. A block of 256 threads has a copy of the table.
 * A thread loads 16 bytes, and a warp 512 contiguous bytes: there is no bank conflict. A thread's groups repeat after
 * SMEM_PERIOD loads. The loads are volatile, so that the assembler does not move them out of the loop.
 * n is at most 2^18: a larger sum would not be exact.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"
#include "table.h"

#ifdef __CUDACC__

enum { SMEM_THREADS = SMEM_GROUPS, SMEM_PERIOD = SMEM_GROUPS / SMEM_STEP };

static __device__ float4 load(uint32_t address)
{
    float4 v;
    asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(address));
    return v;
}

static __device__ void add(float4 *sum, float4 v)
{
    sum->x += v.x;
    sum->y += v.y;
    sum->z += v.z;
    sum->w += v.w;
}

__global__ void __launch_bounds__(SMEM_THREADS)
    smem_sums(int64_t m, int n, const float4 *__restrict__ x, float4 *__restrict__ y)
{
    __shared__ float4 table[SMEM_GROUPS];
    const int64_t thread = (int64_t)blockIdx.x * SMEM_THREADS + threadIdx.x;
    uint32_t at[SMEM_PERIOD];
    float4 sum = make_float4(0, 0, 0, 0);
    table[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); /* the table is complete before it is read */

#pragma unroll
    for (int i = 0; i < SMEM_PERIOD; i++)
        at[i] = (uint32_t)__cvta_generic_to_shared(&table[(threadIdx.x + i * SMEM_STEP) % SMEM_GROUPS]);
    for (int step = 0; step + SMEM_PERIOD <= n; step += SMEM_PERIOD) {
        float4 v[SMEM_PERIOD];
#pragma unroll
        for (int i = 0; i < SMEM_PERIOD; i++)
            v[i] = load(at[i]);
#pragma unroll
        for (int i = 0; i < SMEM_PERIOD; i++)
            add(&sum, v[i]);
    }
#pragma unroll
    for (int i = 0; i < SMEM_PERIOD; i++)
        if (i < n % SMEM_PERIOD)
            add(&sum, load(at[i]));
    if (thread < m)
        y[thread] = sum;
}

CUDA_ENTRY int smem_cuda_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    smem_sums<<<(unsigned)((cell->m + SMEM_THREADS - 1) / SMEM_THREADS), SMEM_THREADS, 0, (cudaStream_t)job->stream>>>(
        cell->m, (int)cell->n, (const float4 *)job->operand[0], (float4 *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#else

static const char *reject(const struct cell *cell)
{
    if (cell->n > 1 << 18)
        return cell_reason("sums of up to 2^18 steps are exact, not of %lld", (long long)cell->n);
    return NULL;
}

VARIANT(smem, cuda) = {
    .summary = "16-byte loads without bank conflicts, eight loads in flight",
    .summary_ru = "загрузки по 16 байт без конфликтов банков, восемь загрузок в пути",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 5000,
    .reject = reject,
};

#endif
