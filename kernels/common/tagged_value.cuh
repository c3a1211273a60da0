/* Values that thread blocks running at the same time send each other through global memory. For the device part of a
 * kernel file; compute capability 8.0.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_TAGGED_VALUE_CUH
#define TILELAB_COMMON_TAGGED_VALUE_CUH

#include <stdint.h>

/* Each word holds 32 bits of the value and a tag. The hardware writes and reads a word at once. So a receiver that
 * knows the tag needs no order between words, no flag and no fence. */
template <typename real> struct alignas(2 * sizeof(real)) tagged_value {
    uint64_t word[sizeof(real) / 4];

    static __device__ uint64_t tagged(unsigned bits, unsigned tag)
    {
        return (uint64_t)tag << 32 | bits;
    }
};

static __device__ inline void tagged_value_store(tagged_value<double> *to, double value, unsigned tag)
{
    const uint64_t bits = (uint64_t)__double_as_longlong(value);
    const uint64_t low = tagged_value<double>::tagged((unsigned)bits, tag);
    const uint64_t high = tagged_value<double>::tagged((unsigned)(bits >> 32), tag);
#if __CUDA_ARCH__ >= 800
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(low), "l"(high) : "memory");
#else
    (void)to, (void)low, (void)high;
#endif
}

static __device__ inline void tagged_value_store(tagged_value<float> *to, float value, unsigned tag)
{
    const uint64_t word = tagged_value<float>::tagged(__float_as_uint(value), tag);
#if __CUDA_ARCH__ >= 800
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
#else
    (void)to, (void)word;
#endif
}

/* Waits until the value with this tag has come, and returns it. */
static __device__ inline double tagged_value_wait(const tagged_value<double> *from, unsigned tag)
{
    uint64_t low = 0, high = 0;
#if __CUDA_ARCH__ >= 800
    do {
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(low), "=l"(high) : "l"(from) : "memory");
    } while ((unsigned)(low >> 32) != tag || (unsigned)(high >> 32) != tag);
#else
    (void)from, (void)tag;
#endif
    return __longlong_as_double((int64_t)(high << 32 | (low & 0xffffffffu)));
}

static __device__ inline float tagged_value_wait(const tagged_value<float> *from, unsigned tag)
{
    uint64_t word = 0;
#if __CUDA_ARCH__ >= 800
    do {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
    } while ((unsigned)(word >> 32) != tag);
#else
    (void)from, (void)tag;
#endif
    return __uint_as_float((unsigned)word);
}

#endif
