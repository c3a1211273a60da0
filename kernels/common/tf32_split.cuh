/* Splits f32 numbers into two TF32 numbers, for products on tensor cores. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_TF32_SPLIT_CUH
#define TILELAB_COMMON_TF32_SPLIT_CUH

#include <stdint.h>

struct tf32_parts {
    uint32_t big, small; /* tensor cores ignore the last 13 bits */
};

/* Rounds x to the nearest TF32, and what is left likewise: x = big + small, up to 2^-23 of x. */
static __device__ inline tf32_parts tf32_split(float x)
{
    const uint32_t half = 0x1000, ignored = 0x1FFF;
    const uint32_t big = (__float_as_uint(x) + half) & ~ignored;
    return {big, __float_as_uint(x - __uint_as_float(big)) + half};
}

#endif
