/* Names for instructions of compute capability 9.0a: products of a warpgroup (128 threads) on tensor cores, whose
 * operands lie in registers and in shared memory, and barriers between producers and consumers of tiles.
 * For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_WGMMA_CUH
#define TILELAB_COMMON_WGMMA_CUH

#include <stdint.h>

/* Whether the code that the device runs was built for 9.0a: a kernel for other devices cannot use this header. */
static __device__ int wgmma_built_flag =
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    1;
#else
    0;
#endif

/* Asks the device; *built gets the answer. For prepare(). */
#define WGMMA_BUILT(job, built) CUDA_TRY(job, cudaMemcpyFromSymbol((built), wgmma_built_flag, sizeof *(built)))

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

static __device__ inline unsigned wgmma_address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

/* --- Barriers in shared memory: a phase ends after a number of arrivals; the parity of the first phase is 0 --- */

typedef unsigned long long mbarrier;

/* One thread calls this; a barrier of the block follows. */
static __device__ inline void mbarrier_init(mbarrier *count, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(wgmma_address(count)), "r"(arrivals) : "memory");
}

static __device__ inline void mbarrier_arrive(mbarrier *count)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(wgmma_address(count)) : "memory");
}

/* Waits until the phase with this parity has ended. The thread then sees what others wrote before they arrived. */
static __device__ inline void mbarrier_wait(mbarrier *count, int parity)
{
    asm volatile("{\n.reg .pred ended;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 ended, [%0], %1;\n"
                 "@!ended bra again;\n}" ::"r"(wgmma_address(count)),
                 "r"(parity)
                 : "memory");
}

/* Arrives, and lets the phase end only when `bytes` bytes that bulk_copy() was asked for have come too. */
static __device__ inline void mbarrier_expect(mbarrier *count, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(wgmma_address(count)), "r"(bytes)
                 : "memory");
}

/* Starts a copy to shared memory by the copy engine, which counts its bytes in the barrier. One thread calls this. Both
 * addresses and `bytes` are multiples of 16. */
static __device__ inline void bulk_copy(void *to, const void *from, int bytes, mbarrier *count)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     wgmma_address(to)),
                 "l"(from), "r"(bytes), "r"(wgmma_address(count))
                 : "memory");
}

/* Makes this thread's stores to shared memory visible to the tensor cores; an arrival or a barrier follows. */
static __device__ inline void wgmma_publish()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* --- Registers: the threads of a block share them unevenly. All warps of a warpgroup call one of these. --- */

template <int REGISTERS> static __device__ inline void wgmma_take_registers()
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

template <int REGISTERS> static __device__ inline void wgmma_give_registers()
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

/* --- Products --- */

/* Stands between accesses to the registers of a product and the product. */
static __device__ inline void wgmma_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* Makes a group of the products that were started since the last group. */
static __device__ inline void wgmma_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits for all groups but the latest PENDING ones. */
template <int PENDING> static __device__ inline void wgmma_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory");
}

/* Describes a tile of rows of 128 bytes in shared memory, which starts at a multiple of 1024 bytes. The 16 bytes number
 * c of row r lie at place c ^ r % 8 of the row. Adding 2 to a description moves it by 32 bytes along the rows. */
static __device__ inline uint64_t wgmma_describe(const void *tile)
{
    const uint64_t eight_rows = 1024, swizzle_128 = 1;
    return (wgmma_address(tile) & 0x3FFFF) >> 4 | (uint64_t)1 << 16 | eight_rows >> 4 << 32 | swizzle_128 << 62;
}

/* sum (64 x 128) = a (64 x 8) b^T + (accumulate ? sum : 0) in TF32, which ignores the last 13 bits of an f32. b has 128
 * rows of 8 elements, by description. With w = warp of the warpgroup, g = lane / 4 and t = lane % 4, a thread holds
 *   - in a[2 h + i] element (16 w + 8 i + g, t + 4 h) of a;
 *   - in sum[4 j + 2 i + o] element (16 w + 8 i + g, 8 j + 2 t + o) of the sum. */
#define WGMMA_FOUR(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define WGMMA_SIXTEEN(i) WGMMA_FOUR(i), WGMMA_FOUR(i + 4), WGMMA_FOUR(i + 8), WGMMA_FOUR(i + 12)
static __device__ inline void wgmma_tf32(float (&sum)[64], const uint32_t (&a)[4], uint64_t b, bool accumulate)
{
    asm volatile("{\n.reg .pred accumulate;\n"
                 "setp.ne.b32 accumulate, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
                 "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "
                 "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
                 "%62, %63}, {%64, %65, %66, %67}, %68, accumulate, 1, 1;\n}"
                 : WGMMA_SIXTEEN(0), WGMMA_SIXTEEN(16), WGMMA_SIXTEEN(32), WGMMA_SIXTEEN(48)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"((int)accumulate));
}

/* The same for 16 steps along k in FP16, with sums in f32: a has 64 rows of 16 elements, also by description. */
static __device__ inline void wgmma_f16(float (&sum)[64], uint64_t a, uint64_t b, bool accumulate)
{
    asm volatile("{\n.reg .pred accumulate;\n"
                 "setp.ne.b32 accumulate, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
                 "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "
                 "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
                 "%62, %63}, %64, %65, accumulate, 1, 1, 0, 0;\n}"
                 : WGMMA_SIXTEEN(0), WGMMA_SIXTEEN(16), WGMMA_SIXTEEN(32), WGMMA_SIXTEEN(48)
                 : "l"(a), "l"(b), "r"((int)accumulate));
}

/* Keeps the compiler from moving accesses to a sum across this place, which a wait does not. */
static __device__ inline void wgmma_hold(float (&sum)[64])
{
    asm volatile("" : WGMMA_SIXTEEN(0), WGMMA_SIXTEEN(16), WGMMA_SIXTEEN(32), WGMMA_SIXTEEN(48)::"memory");
}

#endif

#endif
