/* What the kernels of the iterative solvers that call cuBLAS share: the residual by gemv, its judgement by one block,
 * and the graph around both. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_CUBLAS_CUH
#define TILELAB_COMMON_SOLVER_CUBLAS_CUH

#include "cublas.cuh"
#include "solver_graph.cuh"

struct solve_progress {
    int64_t begun;  /* sweeps */
    int64_t wanted; /* whether x_{k+1} is */
};

/* The state of such a variant. */
struct solve_cublas {
    struct solve_graph graph;
    cublasHandle_t handle;
    struct solve_progress *progress;
    void *residual; /* b when a sweep begins */
    void *diagonal; /* of A */
};

template <typename real>
static __global__ void solve_cublas_begin(int64_t n, const real *__restrict__ a, const real *__restrict__ b,
                                          real *__restrict__ x, real *__restrict__ residual,
                                          real *__restrict__ diagonal, struct solve_progress *progress,
                                          struct solve_log *log)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        solve_begin(log);
        progress->begun = 0;
    }
    if (i >= n)
        return;
    x[i] = 0;
    residual[i] = b[i];
    diagonal[i] = a[i * n + i];
}

/* Judges the residual of the sweep that has begun, by one block of THREADS threads; nothing once the solve has ended.
 * Whether x_{k+1} is wanted: told to every thread, and left in `progress`. */
template <int THREADS, typename real>
static __device__ bool solve_judge(int64_t n, const real *residual, const struct solve_rule *rule,
                                   struct solve_log *log, struct solve_progress *progress, volatile int64_t *told)
{
    double squares = 0;
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        squares += (double)residual[i] * (double)residual[i];
    squares = solve_block_sum<THREADS>(squares);
    if (threadIdx.x == 0)
        progress->wanted = log->end == SOLVE_RUNNING && solve_decide(rule, log, progress->begun++, sqrt(squares), told);
    __syncthreads(); /* the verdict is there before anyone reads it */
    return progress->wanted != 0;
}

/* residual -= A x. For cuBLAS, which is column-major, A is transposed. */
static inline int solve_cublas_residual(struct job *job, const float *a, const float *x, float *residual)
{
    const struct solve_cublas *state = (const struct solve_cublas *)job->state;
    const int n = (int)job->cell->n;
    const float minus_one = -1, one = 1;
    CUBLAS_TRY(job, cublasSgemv(state->handle, CUBLAS_OP_T, n, n, &minus_one, a, n, x, 1, &one, residual, 1));
    return 0;
}
static inline int solve_cublas_residual(struct job *job, const double *a, const double *x, double *residual)
{
    const struct solve_cublas *state = (const struct solve_cublas *)job->state;
    const int n = (int)job->cell->n;
    const double minus_one = -1, one = 1;
    CUBLAS_TRY(job, cublasDgemv(state->handle, CUBLAS_OP_T, n, n, &minus_one, a, n, x, 1, &one, residual, 1));
    return 0;
}

static inline void solve_cublas_release(struct job *job)
{
    struct solve_cublas *state = (struct solve_cublas *)job->state;
    solve_graph_release(&state->graph);
    if (state->handle)
        cublasDestroy(state->handle);
    cudaFree(state->progress);
    cudaFree(state->residual);
    cudaFree(state->diagonal);
    delete state;
    job->state = NULL;
}

static inline int solve_cublas_allocate(struct job *job, struct solve_cublas *state)
{
    const size_t bytes = (size_t)(job->cell->n * cell_element_bytes(job->cell));
    if (cublas_make(job, CUBLAS_DEFAULT_MATH, &state->handle) != 0)
        return -1;
    CUDA_TRY(job, cudaMalloc(&state->progress, sizeof *state->progress));
    CUDA_TRY(job, cudaMalloc(&state->residual, bytes));
    CUDA_TRY(job, cudaMalloc(&state->diagonal, bytes));
    return solve_graph_prepare(job, &state->graph, solve_graph_sweeps(job->cell, 1));
}

static inline int solve_cublas_prepare(struct job *job)
{
    struct solve_cublas *state = new solve_cublas();
    job->state = state;
    if (solve_cublas_allocate(job, state) == 0)
        return 0;
    solve_cublas_release(job);
    return -1;
}

template <typename real> static int solve_cublas_start(struct job *job)
{
    enum { THREADS = 256 };
    const struct solve_cublas *state = (const struct solve_cublas *)job->state;
    const int64_t n = job->cell->n;
    solve_cublas_begin<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)job->stream>>>(
        n, (const real *)job->operand[SOLVE_A], (const real *)job->operand[SOLVE_B], (real *)job->operand[SOLVE_X],
        (real *)state->residual, (real *)state->diagonal, state->progress, (struct solve_log *)job->operand[SOLVE_LOG]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* A solve. The first one of a job makes the graph, after a sweep outside of it: cuBLAS may have kernels to load. */
template <typename real> static int solve_cublas_run(struct job *job, solve_enqueue *enqueue)
{
    struct solve_cublas *state = (struct solve_cublas *)job->state;
    if (!state->graph.ready && (solve_cublas_start<real>(job) != 0 || enqueue(job, 0) != 0 ||
                                solve_graph_capture(job, &state->graph, enqueue) != 0))
        return -1;
    return solve_cublas_start<real>(job) != 0 ? -1 : solve_graph_run(job, &state->graph, enqueue);
}

#endif
