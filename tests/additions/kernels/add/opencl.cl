/* C = A + B with one OpenCL work item for each element of C.
 * A, B, C (n x n), contiguous; any n.
 * Source: this test of what an addition costs.
 * SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void add(long n, __global const REAL *restrict a, __global const REAL *restrict b,
                __global REAL *restrict c)
{
    const long row = get_global_id(1), col = get_global_id(0);
    if (row < n && col < n)
        c[row * n + col] = a[row * n + col] + b[row * n + col];
}

#else
#include "opencl_variant.h"

static struct geometry geometry(const struct cell *cell)
{
    enum { SIDE = 8 };
    const int64_t groups = (cell->n + SIDE - 1) / SIDE;
    return (struct geometry){.blocks_x = groups, .blocks_y = groups, .threads_x = SIDE, .threads_y = SIDE, .passes = 1};
}

static const struct opencl_kernel kernel = {"add", geometry, NULL};

VARIANT(add, opencl) = {
    .summary = "one OpenCL work item for each element of C",
    .summary_ru = "рабочий элемент OpenCL на элемент C",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .unit = UNIT_MEMORY,
    .kernel = &kernel,
    .typical_gflops = 5,
};

#endif
