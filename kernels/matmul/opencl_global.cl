/* C = A B with one OpenCL work item for each element of C, which the work item sums in a register.
 * A (m x k), B (k x n) and C (m x n) are row-major, read from global memory through the caches; any shape.
 * Groups of tile x tile work items cover C, with dimension 0 along its rows: neighbours read B and write C together.
 * Work items outside of C return at once, since no barrier waits for them.
 * Source: opencl-notes.
 * SPDX-License-Identifier: MIT */
#ifdef __OPENCL_VERSION__

KERNEL void matmul_global(long m, long n, long k, __global const REAL *restrict a, __global const REAL *restrict b,
                          __global REAL *restrict c)
{
    const long row = get_global_id(1), col = get_global_id(0);
    if (row >= m || col >= n)
        return;
    REAL sum = 0;
    for (long l = 0; l < k; l++)
        sum += a[row * k + l] * b[l * n + col];
    c[row * n + col] = sum;
}

#else
#include "opencl_variant.h"
#include "common/smem_tiles.h"

static const struct opencl_kernel kernel = {"matmul_global", smem_geometry, NULL};

VARIANT(matmul, opencl_global) = {
    .summary = "one OpenCL work item for each element of C, the sum in a register",
    .summary_ru = "рабочий элемент OpenCL на элемент C, сумма в регистре",
    .source = "opencl-notes",
    .precisions = ALL_PRECISIONS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_FMA,
    .kernel = &kernel,
    .typical_gflops = 5,
    .reject = opencl_tile_reason,
};

#endif
