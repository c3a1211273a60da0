/* Asynchronous copies from global to shared memory, for the device part of a kernel file. They need compute capability
 * 8.0; on an older device these functions do nothing.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_COPY_ASYNC_CUH
#define TILELAB_COMMON_COPY_ASYNC_CUH

/* Starts a copy of BYTES bytes (4, 8 or 16), to and from addresses that are multiples of BYTES. The copy reads `given`
 * bytes and fills the rest with zeros. */
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

/* Makes a group of the copies that this thread has started since its last group. */
static __device__ inline void copy_async_commit()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits for all groups of this thread but the latest PENDING ones. Other threads see the data only after a barrier. */
template <int PENDING> static __device__ inline void copy_async_wait()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

/* Waits for all copies of this thread, in a group or not. */
static __device__ inline void copy_async_wait_all()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

#endif
