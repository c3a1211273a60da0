/* The reciprocal of a pivot, in a short chain of instructions without branches. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_LU_RECIPROCAL_CUH
#define TILELAB_LU_RECIPROCAL_CUH

/* 1 / x for a normal number x whose reciprocal is normal too. The error is about one unit in the last place. */
__device__ static inline double reciprocal(double x)
{
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double error = fma(-x, y, 1.0);
    return fma(y, fma(error, error, error), y);
}
__device__ static inline float reciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fmaf(y, fmaf(-x, y, 1.0f), y);
}

#endif
