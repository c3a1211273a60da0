/* The sustained multiply-add rate of tensor cores on bytes: m sums x + n a b in i32, of n steps each.
 * It is the ceiling of products that are made of products of bytes. X and Y are m x 1, P holds a and b, which fit into
 * a byte; n is a multiple of 64. All elements of A are a, and all of B are b, so k columns of A make k steps of each
 * sum. Code for 9.0a uses wgmma of 64 x 256 x 32 with A and B in shared memory; other code uses mma of 16 x 8 x 32.
 * Source: tilelab, after the PTX ISA.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

/* The threads of a block and the sums of a thread. They let two or more blocks run on a multiprocessor. */
enum { THREADS = 128, SUMS = 128 };

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
/* Describes a tile in shared memory to wgmma. Without swizzling a tile consists of cores of 8 rows x 16 bytes. All
 * elements are equal, so the order of the cores does not matter; every core only has to lie within the tile. */
static __device__ uint64_t describe(const void *tile)
{
    const uint64_t address = (uint64_t)__cvta_generic_to_shared(tile);
    const uint64_t core_bytes = 128, along_k = core_bytes, along_rows = 2 * core_bytes;
    return (address & 0x3FFFF) >> 4 | along_k >> 4 << 16 | along_rows >> 4 << 32;
}

#define FOUR(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
static __device__ void steps(int n, int8_t a, int8_t b, int32_t (&sum)[SUMS])
{
    enum { ROWS = 64, COLS = 256, DEPTH = 32 };
    __shared__ __align__(128) int8_t a_tile[ROWS * DEPTH], b_tile[COLS * DEPTH];
    for (int i = threadIdx.x; i < COLS * DEPTH; i += blockDim.x) {
        b_tile[i] = b;
        if (i < ROWS * DEPTH)
            a_tile[i] = a;
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads(); /* the tiles are complete, and visible to the tensor cores, before the tensor cores read them */

    const uint64_t a_at = describe(a_tile), b_at = describe(b_tile);
    for (int step = 0; step < n; step += 2 * DEPTH) {
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int half = 0; half < 2; half++)
            asm volatile("wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {"
                         "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                         "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                         "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                         "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                         "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                         "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                         "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "
                         "%110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, "
                         "%123, %124, %125, %126, %127}, %128, %129, 1;"
                         : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80), SIXTEEN(96),
                           SIXTEEN(112)
                         : "l"(a_at), "l"(b_at));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }
}
#elif __CUDA_ARCH__ >= 800
static __device__ void steps(int n, int8_t a, int8_t b, int32_t (&sum)[SUMS])
{
    const uint32_t a_four = (uint8_t)a * 0x1010101u, b_four = (uint8_t)b * 0x1010101u;
    for (int step = 0; step < n; step += 32)
#pragma unroll
        for (int i = 0; i < SUMS; i += 4)
            asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, "
                         "{%4, %4, %4, %4}, {%5, %5}, {%0, %1, %2, %3};"
                         : "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
                         : "r"(a_four), "r"(b_four));
}
#else
static __device__ void steps(int, int8_t, int8_t, int32_t (&)[SUMS])
{
    /* There is no such instruction; the runner has refused the cell before. */
}
#endif

static __global__ void __launch_bounds__(THREADS) tensor_sums_i8(int64_t m, int n, const int32_t *__restrict__ x,
                                                                 const int32_t *__restrict__ p, int32_t *__restrict__ y)
{
    const int64_t first = (int64_t)blockIdx.x * THREADS * SUMS + threadIdx.x;
    const int left = (int)min(m - first, (int64_t)THREADS * SUMS);
    const int32_t *const from = x + first;
    int32_t *const to = y + first;
    int32_t sum[SUMS];
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        sum[i] = i * THREADS < left ? from[i * THREADS] : 0;
    steps(n, (int8_t)p[0], (int8_t)p[1], sum);
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        if (i * THREADS < left)
            to[i * THREADS] = sum[i];
}

CUDA_ENTRY int fma_cuda_tensor_i8_launch(struct job *job)
{
    const struct cell *cell = job->cell;
    const int64_t block_sums = (int64_t)THREADS * SUMS;
    tensor_sums_i8<<<(unsigned)((cell->m + block_sums - 1) / block_sums), THREADS, 0, (cudaStream_t)job->stream>>>(
        cell->m, (int)cell->n, (const int32_t *)job->operand[0], (const int32_t *)job->operand[1],
        (int32_t *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#else

static const char *reject(const struct cell *cell)
{
    return cell->n % 64 == 0 ? NULL : cell_reason("n = %lld is no multiple of 64 steps", (long long)cell->n);
}

VARIANT(fma, cuda_tensor_i8) = {
    .summary = "products of constant matrices of bytes on the tensor cores",
    .summary_ru = "произведения постоянных матриц из байтов на тензорных ядрах",
    .source = "tilelab",
    .precisions = BIT(I32),
    .unit = UNIT_FMA,
    .tensor = BIT(I32),
    .parts = "i8",
    .compute_capability = 80,
    .typical_gflops = 1200000,
    .reject = reject,
};

#endif
