/* The bandwidth of shared memory: each of m lanes adds up n groups of four floats from a table there.
 * X is the table (256 x 4), Y (m x 4) the sums. A block of 256 lanes holds a copy of the table.
 * A lane loads 16 bytes, a warp 512 contiguous ones: no bank conflict. The loads are volatile, for
 * those of a turn repeat and the assembler would take them out of the loop.
 * n at most 2^18, below which the sums are exact. Any m.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"
#include "table.h"

#ifndef __CUDACC__

static const char *reject(const struct cell *cell)
{
    if (cell->n > 1 << 18)
        return cell_reason("sums of up to 2^18 steps are exact, not of %lld", (long long)cell->n);
    return NULL;
}

VARIANT(smem, cuda) = {
    .summary = "16-byte loads without conflicts, eight in flight",
    .source = "tilelab",
    .precisions = BIT(F32),
    .unit = UNIT_MEMORY,
    .typical_gflops = 5000,
    .reject = reject,
};

#else

enum { SMEM_THREADS = SMEM_GROUPS, SMEM_TURN = SMEM_GROUPS / SMEM_STEP };

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
    const int64_t lane = (int64_t)blockIdx.x * SMEM_THREADS + threadIdx.x;
    uint32_t at[SMEM_TURN];
    float4 sum = make_float4(0, 0, 0, 0);
    table[threadIdx.x] = x[threadIdx.x];
    __syncthreads(); /* the table is complete before it is read */

#pragma unroll
    for (int i = 0; i < SMEM_TURN; i++)
        at[i] = (uint32_t)__cvta_generic_to_shared(&table[(threadIdx.x + i * SMEM_STEP) % SMEM_GROUPS]);
    for (int step = 0; step + SMEM_TURN <= n; step += SMEM_TURN) {
        float4 v[SMEM_TURN];
#pragma unroll
        for (int i = 0; i < SMEM_TURN; i++)
            v[i] = load(at[i]);
#pragma unroll
        for (int i = 0; i < SMEM_TURN; i++)
            add(&sum, v[i]);
    }
#pragma unroll
    for (int i = 0; i < SMEM_TURN; i++)
        if (i < n % SMEM_TURN)
            add(&sum, load(at[i]));
    if (lane < m)
        y[lane] = sum;
}

CUDA_ENTRY int smem_cuda_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    smem_sums<<<(unsigned)((cell->m + SMEM_THREADS - 1) / SMEM_THREADS), SMEM_THREADS, 0, (cudaStream_t)job->stream>>>(
        cell->m, (int)cell->n, (const float4 *)job->operand[0], (float4 *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
