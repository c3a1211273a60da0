/* x of A x = b by Jacobi's method, a thread a row; the device computes the residual.
 * A (n x n) is diagonally dominant and row-major; n is any. A thread block has 16 threads.
 * A sweep reads A twice: one kernel computes the residual, a warp a row; another kernel makes the step. Between the two
 * the host reads the norm of the residual and decides whether the step follows.
 * Differs from cuda-hostcheck: A stays on the device.
 * Source: granular.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "row_a_thread.cuh"

CUDA_ENTRY int jacobi_cuda_global_prepare(struct job *job)
{
    return solver_work_prepare(job);
}

CUDA_ENTRY void jacobi_cuda_global_release(struct job *job)
{
    solver_work_release(job);
}

template <typename real> static int launch(struct job *job)
{
    const struct solver_work *work = (const struct solver_work *)job->state;
    return solver_by_host(job, (real *)work->spare, sweep<real>, solver_norm<real>);
}

CUDA_ENTRY_BY_FLOAT(jacobi_cuda_global)

#else

VARIANT(jacobi, cuda_global) = {
    .summary = "one thread for each row, a separate kernel for the residual",
    .summary_ru = "поток на строку, невязку вычисляет отдельное ядро",
    .source = "granular",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 20,
};

#endif
