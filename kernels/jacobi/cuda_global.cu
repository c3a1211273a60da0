/* x of A x = b by Jacobi's method, a thread a row; the device computes the residual.
 * A (n x n, diagonally dominant), b, x, row-major; any n. Blocks of 16 threads.
 * A sweep is two passes over A: the residual's, a warp a row, and the step's; the host reads one
 * number after the first and says whether there is a second.
 * Differs from cuda-hostcheck: A stays where it is. Source: granular.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

VARIANT(jacobi, cuda_global) = {
    .summary = "a thread a row, the residual by a kernel of its own",
    .source = "granular",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 20,
};

#else

#include "solve_device.cuh"

enum { GLOBAL_THREADS = 16 };

template <typename real>
__global__ void __launch_bounds__(GLOBAL_THREADS)
    jacobi_global(int64_t n, real omega, const real *__restrict__ a, const real *__restrict__ b,
                  const real *__restrict__ now, real *__restrict__ next)
{
    const int64_t row = (int64_t)blockIdx.x * GLOBAL_THREADS + threadIdx.x;
    if (row >= n)
        return;
    real sum = 0;
    for (int64_t j = 0; j < n; j++)
        if (j != row)
            sum += a[row * n + j] * now[j];
    next[row] = (1 - omega) * now[row] + omega * (b[row] - sum) / a[row * n + row];
}

template <typename real> static int sweep(struct job *job, const real *now, real *next)
{
    const int64_t n = job->cell->n, blocks = (n + GLOBAL_THREADS - 1) / GLOBAL_THREADS;
    jacobi_global<<<(unsigned)blocks, GLOBAL_THREADS, 0, (cudaStream_t)job->stream>>>(
        n, (real)solve_rule_of(job->cell).omega, (const real *)job->operand[SOLVE_A],
        (const real *)job->operand[SOLVE_B], now, next);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int jacobi_cuda_global_prepare(struct job *job)
{
    return solve_work_prepare(job);
}

CUDA_ENTRY void jacobi_cuda_global_release(struct job *job)
{
    solve_work_release(job);
}

template <typename real> static int launch(struct job *job)
{
    const struct solve_work *work = (const struct solve_work *)job->state;
    return solve_by_host(job, (real *)work->spare, sweep<real>, solve_norm<real>);
}

CUDA_ENTRY int jacobi_cuda_global_launch(struct job *job)
{
    CUDA_BY_FLOAT(job, launch);
}

#endif
