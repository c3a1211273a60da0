/* Copies from global to shared memory that the thread does not wait for: for the device part of a kernel file. On devices
 * before compute capability 8.0 they do nothing.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_COPY_ASYNC_CUH
#define TILELAB_COMMON_COPY_ASYNC_CUH

/* BYTES (4, 8 or 16), aligned to themselves, `given` of them read and the rest 0. */
template <int BYTES> static __device__ inline void copy_async(void *to, const void *from, int given)
{
#if __CUDA_ARCH__ >= 800
    const unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if constexpr (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from), "r"(given) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(at), "l"(from), "n"(BYTES), "r"(given)
                     : "memory");
#else
    (void)to, (void)from, (void)given;
#endif
}

/* Ends a group: this thread's copies since the last one. */
static __device__ inline void copy_async_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits for all but the latest PENDING groups of this thread; it alone then sees what was copied. */
template <int PENDING> static __device__ inline void copy_async_wait()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

/* Waits for all copies of this thread, whether a group has ended or not. */
static __device__ inline void copy_async_wait_all()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#endif
