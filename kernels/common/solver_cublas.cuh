/* What the kernels of the iterative solvers that call cuBLAS share. gemv computes the residual, one block of threads
 * checks it, and a CUDA graph holds both. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_CUBLAS_CUH
#define TILELAB_COMMON_SOLVER_CUBLAS_CUH

#include "cublas.cuh"
#include "solver_graph.cuh"

struct solver_cublas_progress {
    int64_t begun;  /* number of sweeps that have begun */
    int64_t wanted; /* not 0: the present sweep shall make x_{k+1} */
};

/* The state of a variant that calls cuBLAS. */
struct solver_cublas {
    struct solver_graph graph;
    cublasHandle_t handle;
    struct solver_cublas_progress *progress;
    void *residual; /* holds b when a sweep begins */
    void *diagonal; /* a copy of A's diagonal */
};

template <typename real>
static __global__ void solver_cublas_begin(int64_t n, const real *__restrict__ a, const real *__restrict__ b,
                                           real *__restrict__ x, real *__restrict__ residual,
                                           real *__restrict__ diagonal, struct solver_cublas_progress *progress,
                                           struct solver_log *log)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        solver_begin(log);
        progress->begun = 0;
    }
    if (i >= n)
        return;
    x[i] = 0;
    residual[i] = b[i];
    diagonal[i] = a[i * n + i];
}

/* Checks the residual of the present sweep, by one block of THREADS threads; after the end of the run it does nothing.
 * Returns whether x_{k+1} is wanted, to every thread, and leaves the answer in `progress`. */
template <int THREADS, typename real>
static __device__ bool solver_cublas_judge(int64_t n, const real *residual, const struct solver_rule *rule,
                                           struct solver_log *log, struct solver_cublas_progress *progress,
                                           volatile int64_t *told)
{
    double squares = 0;
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        squares += (double)residual[i] * (double)residual[i];
    squares = solver_block_sum<THREADS>(squares);
    if (threadIdx.x == 0)
        progress->wanted =
            log->end == SOLVER_RUNNING && solver_graph_decide(rule, log, progress->begun++, sqrt(squares), told);
    __syncthreads(); /* the first thread has written the answer before anyone reads it */
    return progress->wanted != 0;
}

/* residual -= A x. cuBLAS is column-major and takes the row-major A as A^T, so that the call asks for the transpose. */
static inline int solver_cublas_residual(struct job *job, const float *a, const float *x, float *residual)
{
    const struct solver_cublas *state = (const struct solver_cublas *)job->state;
    const int n = (int)job->cell->n;
    const float minus_one = -1, one = 1;
    CUBLAS_TRY(job, cublasSgemv(state->handle, CUBLAS_OP_T, n, n, &minus_one, a, n, x, 1, &one, residual, 1));
    return 0;
}
static inline int solver_cublas_residual(struct job *job, const double *a, const double *x, double *residual)
{
    const struct solver_cublas *state = (const struct solver_cublas *)job->state;
    const int n = (int)job->cell->n;
    const double minus_one = -1, one = 1;
    CUBLAS_TRY(job, cublasDgemv(state->handle, CUBLAS_OP_T, n, n, &minus_one, a, n, x, 1, &one, residual, 1));
    return 0;
}

static inline void solver_cublas_release(struct job *job)
{
    struct solver_cublas *state = (struct solver_cublas *)job->state;
    solver_graph_release(&state->graph);
    if (state->handle)
        cublasDestroy(state->handle);
    cudaFree(state->progress);
    cudaFree(state->residual);
    cudaFree(state->diagonal);
    delete state;
    job->state = NULL;
}

static inline int solver_cublas_allocate(struct job *job, struct solver_cublas *state)
{
    const size_t bytes = (size_t)(job->cell->n * cell_element_bytes(job->cell));
    if (cublas_open(job, CUBLAS_DEFAULT_MATH, &state->handle) != 0)
        return -1;
    CUDA_TRY(job, cudaMalloc(&state->progress, sizeof *state->progress));
    CUDA_TRY(job, cudaMalloc(&state->residual, bytes));
    CUDA_TRY(job, cudaMalloc(&state->diagonal, bytes));
    return solver_graph_prepare(job, &state->graph, solver_graph_sweeps(job->cell, 1));
}

static inline int solver_cublas_prepare(struct job *job)
{
    struct solver_cublas *state = new solver_cublas();
    job->state = state;
    if (solver_cublas_allocate(job, state) == 0)
        return 0;
    solver_cublas_release(job);
    return -1;
}

template <typename real> static int solver_cublas_start(struct job *job)
{
    enum { THREADS = 256 };
    const struct solver_cublas *state = (const struct solver_cublas *)job->state;
    const int64_t n = job->cell->n;
    solver_cublas_begin<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)job->stream>>>(
        n, (const real *)job->operand[SOLVER_A], (const real *)job->operand[SOLVER_B], (real *)job->operand[SOLVER_X],
        (real *)state->residual, (real *)state->diagonal, state->progress,
        (struct solver_log *)job->operand[SOLVER_LOG]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* A whole run. The first run of a job captures the graph. A sweep outside of the graph comes before, since cuBLAS may
 * have kernels to load. */
template <typename real> static int solver_cublas_run(struct job *job, solver_graph_enqueue *enqueue)
{
    struct solver_cublas *state = (struct solver_cublas *)job->state;
    if (!state->graph.ready && (solver_cublas_start<real>(job) != 0 || enqueue(job, 0) != 0 ||
                                solver_graph_capture(job, &state->graph, enqueue) != 0))
        return -1;
    return solver_cublas_start<real>(job) != 0 ? -1 : solver_graph_run(job, &state->graph, enqueue);
}

#endif
