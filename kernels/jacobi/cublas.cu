/* x of A x = b by Jacobi's method. gemv of cuBLAS computes the residual r_k = b - A x_k. Then one thread block checks
 * the residual and computes x_{k+1} = x_k + omega r_k / diag(A).
 * A (n x n) is diagonally dominant and row-major; n is any within 32-bit integers.
 * A sweep reads A once; a run first copies the diagonal of A. A CUDA graph, captured in the first run, holds many
 * sweeps; those after the end of the run change nothing.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/solver_cublas.cuh"

/* Checks the residual and makes the step, by one thread block. Then it stores b in `residual`, where the next gemv
 * subtracts A x from it. */
template <typename real>
__global__ void __launch_bounds__(SOLVER_THREADS, 1)
    jacobi_cublas_step(int64_t n, const struct solver_rule rule, const real *__restrict__ b,
                       const real *__restrict__ diagonal, real *__restrict__ x, real *__restrict__ residual,
                       struct solver_cublas_progress *progress, struct solver_log *log, volatile int64_t *told)
{
    if (!solver_cublas_judge<SOLVER_THREADS>(n, residual, &rule, log, progress, told))
        return;
    for (int64_t i = threadIdx.x; i < n; i += SOLVER_THREADS) {
        x[i] += (real)rule.omega * residual[i] / diagonal[i];
        residual[i] = b[i];
    }
}

template <typename real> static int enqueue(struct job *job, int64_t)
{
    const struct solver_cublas *state = (const struct solver_cublas *)job->state;
    real *const x = (real *)job->operand[SOLVER_X], *const residual = (real *)state->residual;
    if (solver_cublas_residual(job, (const real *)job->operand[SOLVER_A], x, residual) != 0)
        return -1;
    jacobi_cublas_step<<<1, SOLVER_THREADS, 0, (cudaStream_t)job->stream>>>(
        job->cell->n, solver_rule_of(job->cell), (const real *)job->operand[SOLVER_B], (const real *)state->diagonal, x,
        residual, state->progress, (struct solver_log *)job->operand[SOLVER_LOG], state->graph.told);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int jacobi_cublas_prepare(struct job *job)
{
    return solver_cublas_prepare(job);
}

CUDA_ENTRY void jacobi_cublas_release(struct job *job)
{
    solver_cublas_release(job);
}

template <typename real> static int launch(struct job *job)
{
    return solver_cublas_run<real>(job, enqueue<real>);
}

CUDA_ENTRY_BY_FLOAT(jacobi_cublas)

#else

VARIANT(jacobi, cublas) = {
    .summary = "gemv of cuBLAS for the residual, many sweeps in one CUDA graph",
    .summary_ru = "gemv из cuBLAS для невязки, много итераций в одном графе CUDA",
    .source = "baseline",
    .vendor = true,
    .library = "cublas",
    .style = 5,
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1000,
};

#endif
