/* The sweep of chaotic relaxation with a thread a row, for cuda-racy and cuda-racy-fresh. These variants differ only in
 * how a thread reads x: `element` is real or volatile real.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_SEIDEL_CHAOTIC_SWEEP_CUH
#define TILELAB_SEIDEL_CHAOTIC_SWEEP_CUH

#include "common/solver_device.cuh"

template <typename real, typename element>
static __global__ void __launch_bounds__(1024)
    seidel_chaotic(int64_t n, real omega, const real *__restrict__ a, const real *__restrict__ b, element *x)
{
    const int64_t row = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    real sum = 0;
    for (int64_t j = 0; j < n; j++)
        if (j != row)
            sum += a[row * n + j] * x[j];
    x[row] = (1 - omega) * x[row] + omega * (b[row] - sum) / a[row * n + row];
}

template <typename real, typename element> static int chaotic_sweep(struct job *job, element *x)
{
    const int64_t n = job->cell->n, tile = job->cell->tile;
    seidel_chaotic<real, element><<<(unsigned)((n + tile - 1) / tile), (unsigned)tile, 0, (cudaStream_t)job->stream>>>(
        n, (real)solver_rule_of(job->cell).omega, (const real *)job->operand[SOLVER_A],
        (const real *)job->operand[SOLVER_B], x);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

#endif
