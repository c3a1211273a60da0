/* A = B + s C on a GPU.
 * A, B and C are 1 x n, S is 1 x 1; any n. To measure memory instead of caches, they must be several times the L2.
 * A thread reads 16 bytes of B and of C and writes 16 bytes of A; blocks run in the order of the arrays.
 * Source: J. D. McCalpin's STREAM.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

enum { TRIAD_THREADS = 128 };

/* The type of one access of 16 bytes. */
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
    triad(int64_t n, const real *__restrict__ b, const real *__restrict__ c, const real *__restrict__ scalar,
          real *__restrict__ a)
{
    typedef typename vector_of<real>::type vector;
    enum { COUNT = sizeof(vector) / sizeof(real) };
    const int64_t vectors = n / COUNT, i = (int64_t)blockIdx.x * TRIAD_THREADS + threadIdx.x;
    const int64_t tail = vectors * COUNT + i;
    const real s = *scalar;
    if (i < vectors)
        ((vector *)a)[i] = multiply_add(((const vector *)b)[i], s, ((const vector *)c)[i]);
    if (tail < n)
        a[tail] = b[tail] + s * c[tail];
}

template <typename real> static int launch(struct job *job)
{
    enum { COUNT = 16 / sizeof(real) };
    const int64_t n = job->cell->n;
    triad<real><<<(unsigned)(n / COUNT / TRIAD_THREADS + 1), TRIAD_THREADS, 0, (cudaStream_t)job->stream>>>(
        n, (const real *)job->operand[0], (const real *)job->operand[1], (const real *)job->operand[2],
        (real *)job->operand[3]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(triad_cuda)

#else

VARIANT(triad, cuda) = {
    .summary = "16 bytes of each array for each thread",
    .summary_ru = "16 байт каждого массива на поток",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 100,
};

#endif
