/* C = A B by warps that only multiply and warps that only copy, asynchronously, one or more tiles ahead.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape. Compute capability 8.0.
 * A block has 8 warps that multiply as in cuda-warptile, and 4 that copy the tiles of the steps to come from global to
 * shared memory. A thread owns 8 x 16 elements of C, in f64 8 x 8. If large blocks would leave multiprocessors idle,
 * blocks are small: two groups of 4 warps sum one half of each step's products each, 8 x 8 elements a thread.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

VARIANT(matmul, cuda_async) = {
    .summary = "tiles copied asynchronously, several steps ahead, by warps of their own",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .compute_capability = 80,
    .unit = UNIT_FMA,
    .typical_gflops = 50000,
};

#else

#include "common/product_async.cuh"

template <typename real>
using large_shape = async_shape<real, false, 128, sizeof(real) == 8 ? 128 : 256, 256, 1, 4, 99, 1>;
template <typename real> using small_shape = async_shape<real, false, 64, 128, 256, 2, 8, 99, 1>;

/* The time of a launch, in elements of C that the busiest multiprocessor computes. */
template <typename shape> static double launch_time(const struct cell *cell, int multiprocessors)
{
    const int64_t blocks = async_tiles<shape>(cell->m, cell->n);
    return (double)((blocks + multiprocessors - 1) / multiprocessors * shape::M * shape::N);
}

template <typename shape> static int launch_shape(struct job *job)
{
    typedef typename shape::real real;
    const struct cell *cell = job->cell;
    const product_plan plan = {async_tiles<shape>(cell->m, cell->n), 0, 1};
    const real *const a = (const real *)job->operand[0], *const b = (const real *)job->operand[1];
    return async_launch<shape>(job, {cell->m, cell->n, cell->k, a, b, (real *)job->operand[2], NULL, plan});
}

template <typename real> static int launch(struct job *job)
{
    const double slower = 1.1; /* small blocks take longer for an element, because they copy more */
    int device, multiprocessors;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const double large = launch_time<large_shape<real>>(job->cell, multiprocessors);
    const double small = launch_time<small_shape<real>>(job->cell, multiprocessors) * slower;
    return large <= small ? launch_shape<large_shape<real>>(job) : launch_shape<small_shape<real>>(job);
}

CUDA_ENTRY int matmul_cuda_async_launch(struct job *job)
{
    CUDA_BY_PRECISION(job, launch);
}

#endif
