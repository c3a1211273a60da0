/* x of A x = b by chaotic relaxation: there is one x, with a thread a row and one launch a sweep. A thread reads
 * whatever the others have written by then, so that the number of sweeps depends on the shape of the launch.
 * A (n x n) is diagonally dominant and row-major; n is any. A thread block has `tile` threads, 1 to 1024.
 * A separate kernel computes the residual between sweeps, a warp a row, and the host reads its norm. Accesses to x
 * bypass the first-level cache, which would hide what others write.
 * Differs from jacobi/cuda-global: one x. Source: granular.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifndef __CUDACC__

static const char *reject(const struct cell *cell)
{
    if (cell->tile > 1024)
        return cell_reason("a block of %lld threads; CUDA's limit is 1024", (long long)cell->tile);
    return NULL;
}

VARIANT(seidel, cuda_racy) = {
    .summary = "chaotic relaxation: one thread for each row, a single x, no ordering",
    .source = "granular",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 16},
    .unit = UNIT_MEMORY,
    .chaotic = true,
    .typical_gflops = 20,
    .reject = reject,
};

#else

#include "common/solver_device.cuh"

template <typename real>
__global__ void __launch_bounds__(1024)
    seidel_racy(int64_t n, real omega, const real *__restrict__ a, const real *__restrict__ b, volatile real *x)
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

template <typename real> static int sweep(struct job *job, const real *, real *x)
{
    const int64_t n = job->cell->n, tile = job->cell->tile;
    seidel_racy<<<(unsigned)((n + tile - 1) / tile), (unsigned)tile, 0, (cudaStream_t)job->stream>>>(
        n, (real)solver_rule_of(job->cell).omega, (const real *)job->operand[SOLVER_A],
        (const real *)job->operand[SOLVER_B], x);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int seidel_cuda_racy_prepare(struct job *job)
{
    return solver_work_prepare(job);
}

CUDA_ENTRY void seidel_cuda_racy_release(struct job *job)
{
    solver_work_release(job);
}

template <typename real> static int launch(struct job *job)
{
    return solver_by_host(job, (real *)job->operand[SOLVER_X], sweep<real>, solver_norm<real>);
}

CUDA_ENTRY int seidel_cuda_racy_launch(struct job *job)
{
    CUDA_BY_FLOAT(job, launch);
}

#endif
