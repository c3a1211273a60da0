/* The order of elements by magnitude, by which a warp chooses a pivot, and the division by a pivot of any magnitude.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_MAGNITUDE_CUH
#define TILELAB_LU_MAGNITUDE_CUH

#include "hopper.cuh"
#include "reciprocal.cuh"

#include <math.h>

/* The magnitude of an element, as two words in its order. {0, 0} is below every element; NaN is above all. */
struct magnitude {
    uint32_t high, low;
};

#ifdef HOPPER

__device__ static inline magnitude magnitude_of(double x)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(x) << 1 | 1;
    return {(uint32_t)(bits >> 32), (uint32_t)bits};
}

__device__ static inline magnitude magnitude_of(float x)
{
    return {__float_as_uint(x) << 1 | 1, 0};
}

__device__ static inline bool is_above(const magnitude &a, const magnitude &b)
{
    return a.high > b.high || (a.high == b.high && a.low > b.low);
}

/* The first lane with the largest magnitude. All lanes of the warp call this. */
template <typename real> __device__ static inline int largest_lane(const magnitude &mine)
{
    bool largest = mine.high == __reduce_max_sync(WHOLE_WARP, mine.high);
    if constexpr (sizeof(real) > sizeof mine.high) {
        const uint32_t low = __reduce_max_sync(WHOLE_WARP, largest ? mine.low : 0);
        largest = largest && mine.low == low;
    }
    return __ffs(__ballot_sync(WHOLE_WARP, largest)) - 1;
}

/* A factor for a pivot, so that the reciprocal of their product neither overflows nor vanishes. */
__device__ static inline double safe_factor(double pivot)
{
    const double size = fabs(pivot);
    return size < 0x1p-960 ? 0x1p64 : size > 0x1p960 ? 0x1p-64 : 1;
}
__device__ static inline float safe_factor(float pivot)
{
    const float size = fabsf(pivot);
    return size < 0x1p-96f ? 0x1p32f : size > 0x1p96f ? 0x1p-32f : 1;
}

/* The reciprocal of a pivot times its factor. For a pivot of 0 the result is 0: the column has only zeros. */
template <typename real> __device__ static inline real invert(real pivot)
{
    const real inverse = reciprocal(pivot == 0 ? real(1) : pivot * safe_factor(pivot));
    return pivot == 0 ? real(0) : inverse;
}

#endif

#endif
