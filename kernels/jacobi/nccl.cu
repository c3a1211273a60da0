/* x of A x = b by Jacobi's method on several GPUs with a process each: gemv of cuBLAS, and all-gather of NCCL.
 * A (n x n) is diagonally dominant. Each GPU has an equal number of its rows, column by column, and a copy of x.
 * A sweep computes a GPU's part of r_k = b - A x_k and of x_{k+1}, then gathers all parts together with the sums of
 * squares of their residuals. So all GPUs end in the same sweep. A CUDA graph holds many sweeps.
 * Source: baseline.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/cublas.cuh"
#include "common/nccl.cuh"
#include "common/solver_graph.cuh"
#include "team_variant.h"

struct progress {
    int64_t begun; /* number of sweeps that have begun */
    int wanted;    /* whether the present sweep shall make x_{k+1} */
};

/* The parts of x on their way: for each GPU a sum of squares, then the elements. */
struct strips {
    char *data;
    int64_t bytes; /* of one GPU */
    int count, mine;
};

struct jacobi_nccl {
    struct solver_graph graph;
    cublasHandle_t handle;
    struct progress *progress;
    struct solver_log *log; /* on the GPU */
    struct strips strips;
    int64_t first, rows, share; /* of this GPU: its first row and their number; of a full part: its rows */
    void *x;                    /* all n elements */
    void *residual;             /* of this GPU's rows; holds b when a sweep begins */
    void *diagonal;
};

template <typename real> static __device__ real *elements_of(const struct strips &strips, int part)
{
    return (real *)(strips.data + part * strips.bytes + sizeof(double));
}

static __device__ double *squares_of(const struct strips &strips, int part)
{
    return (double *)(strips.data + part * strips.bytes);
}

template <typename real>
__global__ void jacobi_nccl_begin(int64_t n, int64_t first, int64_t rows, const real *__restrict__ a, int64_t ld,
                                  const real *__restrict__ b, real *__restrict__ x, real *__restrict__ residual,
                                  real *__restrict__ diagonal, struct progress *progress, struct solver_log *log)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        solver_begin(log);
        progress->begun = 0;
    }
    if (i < n)
        x[i] = 0;
    if (i >= rows)
        return;
    residual[i] = b[i];
    diagonal[i] = a[(first + i) * ld + i];
}

/* By one thread block: this GPU's part of x_{k+1} and the squares of its residual. The residual becomes b again. */
template <typename real>
__global__ void __launch_bounds__(SOLVER_THREADS, 1)
    jacobi_nccl_step(int64_t rows, real omega, const real *__restrict__ b, const real *__restrict__ diagonal,
                     const real *__restrict__ x, real *__restrict__ residual, const struct strips strips)
{
    real *const next = elements_of<real>(strips, strips.mine);
    double squares = 0;
    for (int64_t i = threadIdx.x; i < rows; i += SOLVER_THREADS) {
        const real r = residual[i];
        squares += (double)r * (double)r;
        next[i] = x[i] + omega * r / diagonal[i];
        residual[i] = b[i];
    }
    squares = solver_block_sum<SOLVER_THREADS>(squares);
    if (threadIdx.x == 0)
        *squares_of(strips, strips.mine) = squares;
}

/* By one thread block: checks the residual, and takes x_{k+1} if it is wanted. After the end of the run nothing more
 * happens. All GPUs add the same numbers in the same order, so they agree. */
template <typename real>
__global__ void __launch_bounds__(SOLVER_THREADS, 1)
    jacobi_nccl_take(int64_t n, int64_t share, const struct solver_rule rule, const struct strips strips,
                     real *__restrict__ x, struct progress *progress, struct solver_log *log, volatile int64_t *told)
{
    if (threadIdx.x == 0) {
        double squares = 0;
        for (int part = 0; part < strips.count; part++)
            squares += *squares_of(strips, part);
        progress->wanted =
            log->end == SOLVER_RUNNING && solver_graph_decide(&rule, log, progress->begun++, sqrt(squares), told);
    }
    __syncthreads(); /* the first thread has written the answer before anyone reads it */
    for (int64_t i = threadIdx.x; i < n && progress->wanted; i += SOLVER_THREADS)
        x[i] = elements_of<real>(strips, (int)(i / share))[i % share];
}

static int multiply(struct job *job, const struct jacobi_nccl *state, const struct team_part *a, const float *x,
                    float *residual)
{
    const float minus_one = -1, one = 1;
    CUBLAS_TRY(job, cublasSgemv(state->handle, CUBLAS_OP_N, (int)a->rows, (int)a->cols, &minus_one,
                                (const float *)a->data, (int)a->ld, x, 1, &one, residual, 1));
    return 0;
}

static int multiply(struct job *job, const struct jacobi_nccl *state, const struct team_part *a, const double *x,
                    double *residual)
{
    const double minus_one = -1, one = 1;
    CUBLAS_TRY(job, cublasDgemv(state->handle, CUBLAS_OP_N, (int)a->rows, (int)a->cols, &minus_one,
                                (const double *)a->data, (int)a->ld, x, 1, &one, residual, 1));
    return 0;
}

template <typename real> static int enqueue(struct job *job, int64_t)
{
    const struct jacobi_nccl *state = (const struct jacobi_nccl *)job->state;
    const struct team_part *a = &job->team->matrix[SOLVER_A].part[0];
    const struct solver_rule rule = solver_rule_of(job->cell);
    const cudaStream_t stream = (cudaStream_t)job->stream;
    real *const x = (real *)state->x, *const residual = (real *)state->residual;
    if (state->rows > 0 && multiply(job, state, a, x, residual) != 0)
        return -1;
    jacobi_nccl_step<<<1, SOLVER_THREADS, 0, stream>>>(
        state->rows, (real)rule.omega, (const real *)job->operand[SOLVER_B], (const real *)state->diagonal,
        (const real *)x + state->first, residual, state->strips);
    CUDA_TRY(job, cudaGetLastError());
    if (job->team->comm)
        NCCL_TRY(job, ncclAllGather(state->strips.data + state->strips.mine * state->strips.bytes, state->strips.data,
                                    (size_t)state->strips.bytes, ncclChar, (ncclComm_t)job->team->comm, stream));
    jacobi_nccl_take<<<1, SOLVER_THREADS, 0, stream>>>(job->cell->n, state->share, rule, state->strips, x,
                                                       state->progress, state->log, state->graph.told);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

MEMBER_ENTRY void jacobi_nccl_release(struct job *job)
{
    struct jacobi_nccl *state = (struct jacobi_nccl *)job->state;
    solver_graph_release(&state->graph);
    if (state->handle)
        cublasDestroy(state->handle);
    cudaFree(state->progress);
    cudaFree(state->log);
    cudaFree(state->strips.data);
    cudaFree(state->x);
    cudaFree(state->residual);
    cudaFree(state->diagonal);
    delete state;
    job->state = NULL;
}

static int allocate(struct job *job, struct jacobi_nccl *state)
{
    const struct team_matrix *a = &job->team->matrix[SOLVER_A];
    const int64_t size = cell_element_bytes(job->cell);
    state->share = a->block_rows;
    state->rows = a->part[0].rows;
    state->first = state->rows > 0 ? job->team->rank * state->share : 0;
    state->strips.count = job->team->size;
    state->strips.mine = job->team->rank;
    state->strips.bytes = (int64_t)sizeof(double) + (state->share * size + 15) / 16 * 16;
    if (cublas_open(job, CUBLAS_DEFAULT_MATH, &state->handle) != 0)
        return -1;
    CUDA_TRY(job, cudaMalloc(&state->progress, sizeof *state->progress));
    CUDA_TRY(job, cudaMalloc(&state->log, sizeof *state->log));
    CUDA_TRY(job, cudaMalloc(&state->strips.data, (size_t)(state->strips.count * state->strips.bytes)));
    CUDA_TRY(job, cudaMalloc(&state->x, (size_t)(job->cell->n * size)));
    CUDA_TRY(job, cudaMalloc(&state->residual, (size_t)(state->share * size)));
    CUDA_TRY(job, cudaMalloc(&state->diagonal, (size_t)(state->share * size)));
    return solver_graph_prepare(job, &state->graph, solver_graph_sweeps(job->cell, 1));
}

MEMBER_ENTRY int jacobi_nccl_prepare(struct job *job)
{
    struct jacobi_nccl *state = new jacobi_nccl();
    job->state = state;
    if (allocate(job, state) == 0)
        return 0;
    jacobi_nccl_release(job);
    return -1;
}

template <typename real> static int begin(struct job *job)
{
    enum { THREADS = 256 };
    const struct jacobi_nccl *state = (const struct jacobi_nccl *)job->state;
    const struct team_part *a = &job->team->matrix[SOLVER_A].part[0];
    const int64_t n = job->cell->n;
    jacobi_nccl_begin<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, (cudaStream_t)job->stream>>>(
        n, state->first, state->rows, (const real *)a->data, a->ld, (const real *)job->operand[SOLVER_B],
        (real *)state->x, (real *)state->residual, (real *)state->diagonal, state->progress, state->log);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

/* Launches graphs until the run has ended. The host waits for each graph: all members must launch as many. */
static int sweep_to_end(struct job *job, struct solver_graph *graph)
{
    const cudaStream_t stream = (cudaStream_t)job->stream;
    *graph->told = SOLVER_RUNNING;
    while (*graph->told == SOLVER_RUNNING) {
        CUDA_TRY(job, cudaGraphLaunch(graph->ready, stream));
        CUDA_TRY(job, cudaStreamSynchronize(stream));
    }
    return 0;
}

/* A sweep outside of the graph comes before the capture, since the libraries have kernels and connections to load. */
template <typename real> static int launch(struct job *job)
{
    struct jacobi_nccl *state = (struct jacobi_nccl *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const size_t size = sizeof(real);
    if (!state->graph.ready && (begin<real>(job) != 0 || enqueue<real>(job, 0) != 0 ||
                                solver_graph_capture(job, &state->graph, enqueue<real>) != 0))
        return -1;
    if (begin<real>(job) != 0)
        return -1;
    if ((job->cell->sweeps ? solver_graph_run(job, &state->graph, enqueue<real>) : sweep_to_end(job, &state->graph)) !=
        0)
        return -1;
    if (state->rows > 0)
        CUDA_TRY(job, cudaMemcpyAsync(job->operand[SOLVER_X], (const char *)state->x + state->first * (int64_t)size,
                                      (size_t)state->rows * size, cudaMemcpyDeviceToDevice, stream));
    CUDA_TRY(job,
             cudaMemcpyAsync(job->operand[SOLVER_LOG], state->log, sizeof *state->log, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream)); /* the host's log is complete when the function returns */
    return 0;
}

MEMBER_ENTRY int jacobi_nccl_launch(struct job *job)
{
    DEVICE_BY_FLOAT(job);
}

#else

VARIANT(jacobi, nccl) = {
    .summary = "gemv of cuBLAS and all-gather of NCCL on several GPUs, many sweeps in one CUDA graph",
    .summary_ru = "gemv из cuBLAS и all-gather из NCCL на нескольких GPU, много итераций в одном графе CUDA",
    .source = "baseline",
    .vendor = true,
    .library = "nccl",
    .style = 8,
    .precisions = FLOATS,
    .axes = HONOURS(gpus),
    .defaults = {.gpus = 2},
    .unit = UNIT_MEMORY,
    .distribution = DISTRIBUTION_COLUMN,
    .typical_gflops = 2000,
};

#endif
