/* Vectors of 16 bytes, the most that a thread moves with one instruction, for the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_VECTOR_CUH
#define TILELAB_COMMON_VECTOR_CUH

#include <stdint.h>
#include <string.h>

template <typename real> struct __align__(16) vector16
{
    enum { COUNT = 16 / sizeof(real) };
    real value[COUNT];
};

/* Loads a vector of which `there` elements exist; the others become zeros. WIDE: the address is a multiple of 16 bytes,
 * and all elements exist or none. */
template <bool WIDE, typename real>
__device__ static inline vector16<real> vector16_load(const real *from, int64_t there)
{
    vector16<real> vector = {};
    if constexpr (WIDE) {
        if (there > 0)
            vector = *(const vector16<real> *)from;
    } else {
#pragma unroll
        for (int v = 0; v < vector16<real>::COUNT; v++)
            if (v < there)
                vector.value[v] = from[v];
    }
    return vector;
}

/* A vector of sums in registers, `apart` elements from each other. Adding zero moves them to neighbouring registers. If
 * sums were neighbours all the time, they would collide with elements of the tiles in the banks of the register
 * file. */
template <typename real> __device__ static inline vector16<real> vector16_of(const real *sums, int apart = 1)
{
    vector16<real> vector;
#pragma unroll
    for (int v = 0; v < vector16<real>::COUNT; v++)
        vector.value[v] = sums[v * apart] + real(0);
    return vector;
}

/* Stores the first `there` elements of a vector. WIDE: as above. */
template <bool WIDE, typename real>
__device__ static inline void vector16_store(real *to, int64_t there, const vector16<real> &vector)
{
    if constexpr (WIDE) {
        uint4 whole;
        memcpy(&whole, &vector, sizeof whole);
        if (there > 0)
            __stwb((uint4 *)to, whole); /* an ordinary store, but one that the compiler does not take apart */
    } else {
#pragma unroll
        for (int v = 0; v < vector16<real>::COUNT; v++)
            if (v < there)
                to[v] = vector.value[v];
    }
}

#endif
