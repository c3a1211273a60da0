/* Reading tagged values that may not have come yet, so that several can be asked for at once. For the device part of a
 * kernel file; compute capability 8.0.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_TAGGED_POLL_CUH
#define TILELAB_COMMON_TAGGED_POLL_CUH

#include "tagged_value.cuh"

/* Reads a value once. Returns whether it carries the tag; only then is the value of use. */
static __device__ inline bool tagged_value_try(const tagged_value<double> *from, unsigned tag, double &value)
{
    uint64_t low = 0, high = 0;
#if __CUDA_ARCH__ >= 800
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(from) : "memory");
#else
    (void)from;
#endif
    value = __longlong_as_double((int64_t)(high << 32 | (low & 0xffffffffu)));
    return (unsigned)(low >> 32) == tag && (unsigned)(high >> 32) == tag;
}

static __device__ inline bool tagged_value_try(const tagged_value<float> *from, unsigned tag, float &value)
{
    uint64_t word = 0;
#if __CUDA_ARCH__ >= 800
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
#else
    (void)from;
#endif
    value = __uint_as_float((unsigned)word);
    return (unsigned)(word >> 32) == tag;
}

#endif
