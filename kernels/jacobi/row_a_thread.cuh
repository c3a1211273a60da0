/* The step of Jacobi's method with a thread a row, for cuda-hostcheck and cuda-global. These variants differ only in
 * where they compute the residual.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_JACOBI_ROW_A_THREAD_CUH
#define TILELAB_JACOBI_ROW_A_THREAD_CUH

#include "common/solver_device.cuh"

enum { STEP_THREADS = 16 };

template <typename real>
static __global__ void __launch_bounds__(STEP_THREADS)
    jacobi_step(int64_t n, real omega, const real *__restrict__ a, const real *__restrict__ b,
                const real *__restrict__ now, real *__restrict__ next)
{
    const int64_t row = (int64_t)blockIdx.x * STEP_THREADS + threadIdx.x;
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
    const int64_t n = job->cell->n, blocks = (n + STEP_THREADS - 1) / STEP_THREADS;
    jacobi_step<<<(unsigned)blocks, STEP_THREADS, 0, (cudaStream_t)job->stream>>>(
        n, (real)solver_rule_of(job->cell).omega, (const real *)job->operand[SOLVER_A],
        (const real *)job->operand[SOLVER_B], now, next);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
