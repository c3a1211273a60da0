/* The read bandwidth of a GPU's memory: S = the sum of A, which is read `passes` times (passes.h).
 * A is 1 x n, S is 1 x 1; any n. The grid fills the GPU once and strides over A. A thread has four loads of 16 bytes in
 * flight. A block adds its sum to S; the time includes setting S to zero.
 * The sum is exact in any order: A holds integers from -8 to 8, and f32 holds every integer below 2^24. Up to n = 2^21
 * no partial sum can pass 2^24. At n = 2^28 a sum of 2^24 is 200 standard deviations from 0.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"
#include "passes.h"

#ifdef __CUDACC__

enum { READ_THREADS = 256, WARP = 32 };

/* The elements of one load of 16 bytes. */
template <typename real> struct alignas(16) pack {
    enum { COUNT = 16 / sizeof(real) };
    real element[COUNT];
};

template <typename real> __device__ real pack_sum(const pack<real> v)
{
    real sum = v.element[0];
#pragma unroll
    for (int i = 1; i < pack<real>::COUNT; i++)
        sum += v.element[i];
    return sum;
}

template <typename real> __device__ real warp_sum(real sum)
{
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    return sum; /* in lane 0 */
}

template <typename real>
__global__ void __launch_bounds__(READ_THREADS)
    read_sum(int64_t packs, int tail, int passes, const pack<real> *__restrict__ a, real *__restrict__ s)
{
    __shared__ real of_warp[READ_THREADS / WARP];
    const int64_t stride = (int64_t)gridDim.x * READ_THREADS;
    const int64_t first = (int64_t)blockIdx.x * READ_THREADS + threadIdx.x;
    real sum = first < tail ? passes * ((const real *)(a + packs))[first] : real(0);
    for (int pass = 0; pass < passes; pass++) {
        int64_t i = first;
        for (; i + 3 * stride < packs; i += 4 * stride) {
            const pack<real> v0 = a[i], v1 = a[i + stride], v2 = a[i + 2 * stride], v3 = a[i + 3 * stride];
            sum += (pack_sum(v0) + pack_sum(v1)) + (pack_sum(v2) + pack_sum(v3));
        }
        for (; i < packs; i += stride)
            sum += pack_sum(a[i]);
        asm volatile("" ::: "memory"); /* the compiler must assume that A has changed, so every pass loads A again */
    }

    sum = warp_sum(sum);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = sum;
    __syncthreads(); /* the warps' sums are complete before the first warp adds them */
    if (threadIdx.x < WARP) {
        sum = warp_sum(threadIdx.x < READ_THREADS / WARP ? of_warp[threadIdx.x] : real(0));
        if (threadIdx.x == 0)
            atomicAdd(s, sum);
    }
}

template <typename real> static int launch(struct job *job)
{
    int device, multiprocessors, threads;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
    const int64_t n = job->cell->n, in_pack = pack<real>::COUNT;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemsetAsync(job->operand[1], 0, sizeof(real), stream));
    read_sum<<<multiprocessors *(threads / READ_THREADS), READ_THREADS, 0, stream>>>(
        n / in_pack, (int)(n % in_pack), (int)read_passes(job->cell), (const pack<real> *)job->operand[0],
        (real *)job->operand[1]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_PRECISION(read_cuda)

#else

VARIANT(read, cuda) = {
    .summary = "sum of 16-byte loads, four loads in flight for each thread",
    .summary_ru = "сумма загрузок по 16 байт, у каждого потока четыре загрузки в пути",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1000,
};

#endif
