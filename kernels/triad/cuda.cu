/* A = B + s C on a GPU: B, C and A 1 x n, S 1 x 1.
 * 16 bytes an access, past the caches. A block takes runs of 32 KiB of each array, eight loads a
 * thread in flight before the first store, and strides over them with the grid, which fills the GPU.
 * Any n; it takes operands of several times the L2 to measure memory and not the caches.
 * Source: J. D. McCalpin's STREAM.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

VARIANT(triad, cuda) = {
    .summary = "16-byte streaming accesses, eight loads in flight",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 100,
};

#else

enum { TRIAD_THREADS = 512, TRIAD_LOADS = 4, TRIAD_RUN = TRIAD_THREADS * TRIAD_LOADS };

/* What one access moves. */
template <typename real> struct vector_of;
template <> struct vector_of<float> {
    typedef float4 type;
};
template <> struct vector_of<double> {
    typedef double2 type;
};
template <> struct vector_of<uint32_t> {
    typedef uint4 type;
};

static __device__ float4 multiply_add(float4 b, float s, float4 c)
{
    return make_float4(b.x + s * c.x, b.y + s * c.y, b.z + s * c.z, b.w + s * c.w);
}
static __device__ double2 multiply_add(double2 b, double s, double2 c)
{
    return make_double2(b.x + s * c.x, b.y + s * c.y);
}
static __device__ uint4 multiply_add(uint4 b, uint32_t s, uint4 c)
{
    return make_uint4(b.x + s * c.x, b.y + s * c.y, b.z + s * c.z, b.w + s * c.w);
}

template <typename real>
__global__ void __launch_bounds__(TRIAD_THREADS)
    triad(int64_t n, const real *__restrict__ b, const real *__restrict__ c,
          const real *__restrict__ scalar, real *__restrict__ a)
{
    typedef typename vector_of<real>::type vector;
    enum { LANES = sizeof(vector) / sizeof(real) };
    const vector *const from_b = (const vector *)b, *const from_c = (const vector *)c;
    vector *const to = (vector *)a;
    const real s = *scalar;
    const int64_t vectors = n / LANES;
    int64_t i = (int64_t)blockIdx.x * TRIAD_RUN + threadIdx.x;
    for (; i + (TRIAD_LOADS - 1) * TRIAD_THREADS < vectors; i += (int64_t)gridDim.x * TRIAD_RUN) {
        vector x[TRIAD_LOADS], y[TRIAD_LOADS];
#pragma unroll
        for (int load = 0; load < TRIAD_LOADS; load++) {
            x[load] = __ldcs(from_b + i + load * TRIAD_THREADS);
            y[load] = __ldcs(from_c + i + load * TRIAD_THREADS);
        }
#pragma unroll
        for (int load = 0; load < TRIAD_LOADS; load++)
            __stcs(to + i + load * TRIAD_THREADS, multiply_add(x[load], s, y[load]));
    }
    for (int load = 0; load < TRIAD_LOADS && i < vectors; load++, i += TRIAD_THREADS)
        to[i] = multiply_add(from_b[i], s, from_c[i]);
    const int64_t rest = vectors * LANES + threadIdx.x;
    if (blockIdx.x == 0 && rest < n)
        a[rest] = b[rest] + s * c[rest];
}

template <typename real> static int launch(struct job *job)
{
    int device, multiprocessors, blocks;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job,
             cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, triad<real>, TRIAD_THREADS, 0));
    triad<<<multiprocessors * blocks, TRIAD_THREADS, 0, (cudaStream_t)job->stream>>>(
        job->cell->n, (const real *)job->operand[0], (const real *)job->operand[1],
        (const real *)job->operand[2], (real *)job->operand[3]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int triad_cuda_launch(struct job *job)
{
    CUDA_BY_PRECISION(job, launch);
}

#endif
