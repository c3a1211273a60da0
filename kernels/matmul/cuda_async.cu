/* C = A B by warps that only multiply and warps that only copy, asynchronously, one or more tiles ahead.
 * A (m x k), B (k x n) and C (m x n) are row-major; any shape, m up to 65535 x 64. Compute capability 8.0.
 * A block has 8 warps that multiply and 4 that copy the tiles of the steps to come: see common/product_async.cuh. A
 * thread owns 8 x 16 elements of C, in f64 8 x 8. If large blocks would leave multiprocessors idle, blocks are small:
 * two groups of 4 warps sum one half of each step's products each, 8 x 8 elements a thread.
 * Differs from cuda-warptile: copies have warps of their own. Source: tilelab, after CudaDMA (Bauer et al. 2011).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The rows of a small block. */
enum { SMALL_BM = 64 };

#ifdef __CUDACC__

#include "common/product_async.cuh"

/* Devices from compute capability 8.0 on have 99 KiB of shared memory for a block. */
template <typename real, bool SMALL>
using block_shape = async_shape<real, false, SMALL ? SMALL_BM : 128, SMALL || sizeof(real) == 8 ? 128 : 256, 256,
                                SMALL ? 2 : 1, SMALL ? 8 : 4, 99, 1>;

/* WIDE: all rows of B and C start at multiples of 16 bytes. */
template <typename real, bool SMALL, bool WIDE>
__global__ void __launch_bounds__(block_shape<real, SMALL>::THREADS, 1)
    matmul_async(int64_t m, int64_t n, int64_t k, const real *__restrict__ a, const real *__restrict__ b,
                 real *__restrict__ c)
{
    typedef block_shape<real, SMALL> shape;
    const int steps = (int)((k + shape::BK - 1) / shape::BK);
    async_block<shape, WIDE, real>({m, n, k, a, b, c}, {blockIdx.y, blockIdx.x}, 0, steps, -1);
}

/* The time of a launch, in elements of C that the busiest multiprocessor computes. Small blocks take a tenth longer for
 * an element, because they copy more. */
template <typename real, bool SMALL> static double launch_time(const struct cell *cell, int multiprocessors)
{
    typedef block_shape<real, SMALL> shape;
    const int64_t blocks = ((cell->m + shape::BM - 1) / shape::BM) * ((cell->n + shape::BN - 1) / shape::BN);
    return (double)((blocks + multiprocessors - 1) / multiprocessors * shape::BM * shape::BN) * (SMALL ? 1.1 : 1);
}

template <typename real, bool SMALL> static int launch_shape(struct job *job)
{
    typedef block_shape<real, SMALL> shape;
    const struct cell *cell = job->cell;
    const dim3 grid((unsigned)((cell->n + shape::BN - 1) / shape::BN),
                    (unsigned)((cell->m + shape::BM - 1) / shape::BM));
    const auto kernel =
        cell->n % vector16<real>::COUNT == 0 ? matmul_async<real, SMALL, true> : matmul_async<real, SMALL, false>;
    CUDA_TRY(job, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shape::shared_bytes));
    kernel<<<grid, shape::THREADS, shape::shared_bytes, (cudaStream_t)job->stream>>>(
        cell->m, cell->n, cell->k, (const real *)job->operand[0], (const real *)job->operand[1],
        (real *)job->operand[2]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename real> static int launch(struct job *job)
{
    int device, multiprocessors;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const double large = launch_time<real, false>(job->cell, multiprocessors);
    const double small = launch_time<real, true>(job->cell, multiprocessors);
    return large <= small ? launch_shape<real, false>(job) : launch_shape<real, true>(job);
}

CUDA_ENTRY_BY_PRECISION(matmul_cuda_async)

#else

#include "async_accesses.h"

static const char *reject(const struct cell *cell)
{
    return cuda_rows_reason("m", cell->m, SMALL_BM);
}

VARIANT(matmul, cuda_async) = {
    .summary = "tiles copied asynchronously, several steps ahead, by warps of their own",
    .summary_ru = "тайлы копируются асинхронно, на несколько шагов вперёд, отдельными варпами",
    .source = "tilelab",
    .precisions = ALL_PRECISIONS,
    .compute_capability = 80,
    .unit = UNIT_FMA,
    .typical_gflops = 50000,
    .reject = reject,
    .accesses = &async_accesses,
};

#endif
