/* Random numbers from a counter: the finaliser of SplitMix64, applied to key + counter * odd constant. CPUs and GPUs
 * compute the same numbers.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_BASE_RANDOM_H
#define TILELAB_BASE_RANDOM_H

#include <stdint.h>

#ifdef __CUDACC__
#define RANDOM_INLINE static __inline__ __host__ __device__
#else
#define RANDOM_INLINE static inline
#endif

RANDOM_INLINE uint64_t random_mix(uint64_t bits)
{
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

/* The key of a stream. It is mixed twice, so that the keys of neighbouring seeds and streams have nothing in common. */
RANDOM_INLINE uint64_t random_key(uint64_t seed, uint32_t stream)
{
    return random_mix(random_mix(seed + 0x9e3779b97f4a7c15u) ^ (stream + 1) * 0xd1342543de82ef95u);
}

RANDOM_INLINE uint64_t random_bits(uint64_t key, uint64_t counter)
{
    return random_mix(key + counter * 0x9e3779b97f4a7c15u);
}

/* Uniform in [-1, 1). */
RANDOM_INLINE double random_uniform(uint64_t key, uint64_t counter)
{
    return (double)((int64_t)random_bits(key, counter) >> 11) * (1.0 / (double)(INT64_C(1) << 52));
}

/* One of `values` integers from `low` on. The high word of bits * values is as evenly distributed as 64 bits allow, and
 * needs no division. */
RANDOM_INLINE int64_t random_integer(uint64_t key, uint64_t counter, int64_t low, uint64_t values)
{
    return (int64_t)((uint64_t)low + (uint64_t)((unsigned __int128)random_bits(key, counter) * values >> 64));
}

#endif
