/* x of A x = b by Gauss-Seidel: x_{k+1} = x_k + (D + L)^-1 r_k. gemv of cuBLAS computes the residual r_k = b - A x_k,
 * and trsv solves with the lower triangle of A.
 * A (n x n) is diagonally dominant and row-major; n is any within 32-bit integers; omega = 1 only.
 * A sweep reads A one and a half times. One thread block checks r_k before trsv overwrites it. A CUDA graph, captured
 * in the first run, holds many sweeps; those after the end of the run change nothing.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/solver_cublas.cuh"

template <typename real>
__global__ void __launch_bounds__(SOLVER_THREADS, 1)
    seidel_cublas_judge(int64_t n, const struct solver_rule rule, const real *__restrict__ residual,
                        struct solver_cublas_progress *progress, struct solver_log *log, volatile int64_t *told)
{
    solver_cublas_judge<SOLVER_THREADS>(n, residual, &rule, log, progress, told);
}

/* x += change, if that is wanted. Then stores b in `change`, where the next gemv subtracts A x from it. */
template <typename real>
__global__ void seidel_cublas_step(int64_t n, const real *__restrict__ b, real *__restrict__ x,
                                   real *__restrict__ change, const struct solver_cublas_progress *progress)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (progress->wanted)
        x[i] += change[i];
    change[i] = b[i];
}

/* residual = (D + L)^-1 residual. cuBLAS is column-major and takes the row-major A as A^T, whose upper triangle is the
 * lower one of A. */
static int solve_lower(struct job *job, const float *a, float *residual)
{
    const struct solver_cublas *state = (const struct solver_cublas *)job->state;
    const int n = (int)job->cell->n;
    CUBLAS_TRY(job, cublasStrsv(state->handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, n, a, n,
                                residual, 1));
    return 0;
}
static int solve_lower(struct job *job, const double *a, double *residual)
{
    const struct solver_cublas *state = (const struct solver_cublas *)job->state;
    const int n = (int)job->cell->n;
    CUBLAS_TRY(job, cublasDtrsv(state->handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, n, a, n,
                                residual, 1));
    return 0;
}

template <typename real> static int enqueue(struct job *job, int64_t)
{
    enum { THREADS = 256 };
    const struct solver_cublas *state = (const struct solver_cublas *)job->state;
    const int64_t n = job->cell->n;
    const real *const a = (const real *)job->operand[SOLVER_A];
    real *const x = (real *)job->operand[SOLVER_X], *const residual = (real *)state->residual;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    if (solver_cublas_residual(job, a, x, residual) != 0)
        return -1;
    seidel_cublas_judge<<<1, SOLVER_THREADS, 0, stream>>>(n, solver_rule_of(job->cell), residual, state->progress,
                                                          (struct solver_log *)job->operand[SOLVER_LOG],
                                                          state->graph.told);
    CUDA_TRY(job, cudaGetLastError());
    if (solve_lower(job, a, residual) != 0)
        return -1;
    seidel_cublas_step<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, stream>>>(
        n, (const real *)job->operand[SOLVER_B], x, residual, state->progress);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY int seidel_cublas_prepare(struct job *job)
{
    return solver_cublas_prepare(job);
}

CUDA_ENTRY void seidel_cublas_release(struct job *job)
{
    solver_cublas_release(job);
}

template <typename real> static int launch(struct job *job)
{
    return solver_cublas_run<real>(job, enqueue<real>);
}

CUDA_ENTRY_BY_FLOAT(seidel_cublas)

#else

#include "common/solver.h"

static const char *reject(const struct cell *cell)
{
    if (cell->omega != 0 && cell->omega != OMEGA_ONE)
        return "trsv divides by the diagonal of A as it is: omega must be 1";
    return NULL;
}

VARIANT(seidel, cublas) = {
    .summary = "gemv and trsv of cuBLAS, many sweeps in one CUDA graph",
    .summary_ru = "gemv и trsv из cuBLAS, много итераций в одном графе CUDA",
    .source = "baseline",
    .vendor = true,
    .library = "cublas",
    .style = 5,
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 300,
    .reject = reject,
};

#endif
