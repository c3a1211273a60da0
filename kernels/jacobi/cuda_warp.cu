/* x of A x = b by Jacobi's method, a warp a row: x_{k+1} = x_k + omega r_k / diag(A), with r_k = b - A x_k.
 * A (n x n) is diagonally dominant and row-major; n is any. Loads take 16 bytes if a row is a multiple of 16 bytes.
 * A sweep is one launch and reads A once. Meanwhile an extra thread block adds up the residual of the last sweep and
 * decides whether to stop. A CUDA graph holds many sweeps; the host checks for the end after every graph.
 * Differs from cuda-global: coalesced loads, the residual at no extra cost, almost no waiting for the host.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/solver_graph.cuh"

enum {
    WARP_THREADS = 256,
    WARP_ROWS = WARP_THREADS / WARP_SIZE, /* rows of a thread block */
    WARP_LOADS = 4,                       /* loads of A that a thread has under way */
    WARP_XS = 3,   /* vectors x: x_k may be the answer until r_k is judged, while x_{k+2} is made */
    WARP_SUMS = 2, /* arrays of sums: of this sweep and of the last one */
};

/* Adds up `blocks` sums of squares, which gives |r_sweep|^2, and decides whether the run ends. */
template <int THREADS>
static __device__ void judge(int blocks, const double *sums, const struct solver_rule *rule, struct solver_log *log,
                             int64_t sweep, volatile int64_t *told)
{
    double sum = 0;
    for (int i = threadIdx.x; i < blocks; i += THREADS)
        sum += sums[i];
    sum = solver_block_sum<THREADS>(sum);
    if (threadIdx.x == 0)
        solver_graph_decide(rule, log, sweep, sqrt(sum), told);
}

/* What the kernels of a run work on. */
template <typename real> struct solver {
    int n, blocks; /* number of rows, and of thread blocks that compute rows */
    struct solver_rule rule;
    const real *a, *b;
    real *x[WARP_XS];        /* x_k is x[k % WARP_XS] */
    double *sums[WARP_SUMS]; /* sums of squares of the blocks in sweep k: sums[k % WARP_SUMS] */
    int64_t *begun;          /* number of sweeps that have begun */
    struct solver_log *log;
    volatile int64_t *told;
};

/* Block 0 judges the last sweep; the other blocks make x_{k+1}. After the end of the run nothing is left to do. If
 * block 0 finds the end in this very sweep, other blocks may see it or not: nobody needs their rows of x_{k+1}. */
template <typename real, int COUNT>
__global__ void __launch_bounds__(WARP_THREADS)
    jacobi_warp(const struct solver<real> of, const real *__restrict__ now, real *__restrict__ next,
                const double *__restrict__ before, double *__restrict__ sums)
{
    __shared__ double squares[WARP_ROWS];
    if (*(volatile int64_t *)&of.log->end != SOLVER_RUNNING)
        return;
    if (blockIdx.x == 0) {
        const int64_t sweep = *of.begun;
        __syncthreads(); /* everyone has read `begun` before the first thread changes it */
        if (threadIdx.x == 0)
            *of.begun = sweep + 1;
        if (sweep > 0)
            judge<WARP_THREADS>(of.blocks, before, &of.rule, of.log, sweep - 1, of.told);
        return;
    }
    const int warp = threadIdx.x / WARP_SIZE, lane = threadIdx.x % WARP_SIZE;
    const int row = (blockIdx.x - 1) * WARP_ROWS + warp;
    double residual = 0;
    if (row < of.n) {
        using pack = solver_pack<real, COUNT>;
        const real *const of_row = of.a + (int64_t)row * of.n;
        const real b = of.b[row], diagonal = of_row[row], x = now[row];
        const pack *const packs[1] = {(const pack *)of_row};
        real product[1];
        solver_products<WARP_LOADS, true>(of.n / COUNT, packs, (const pack *)now, product);
        const real r = b - product[0];
        if (lane == 0)
            next[row] = x + (real)of.rule.omega * r / diagonal;
        residual = r;
    }
    if (lane == 0)
        squares[warp] = residual * residual;
    __syncthreads(); /* all warps have written their squares before the first thread adds them */
    if (threadIdx.x == 0) {
        double sum = 0;
        for (int i = 0; i < WARP_ROWS; i++)
            sum += squares[i];
        sums[blockIdx.x - 1] = sum;
    }
}

template <typename real> __global__ void jacobi_warp_begin(const struct solver<real> of)
{
    solver_begin(of.log);
    *of.begun = 0;
}

/* Ends a run, by one thread block: judges the last sweep if that is still to do, and copies the answer. */
template <typename real>
__global__ void __launch_bounds__(SOLVER_THREADS, 1) jacobi_warp_end(const struct solver<real> of, real *__restrict__ x)
{
    const int64_t sweep = *of.begun - 1;
    if (of.log->end == SOLVER_RUNNING)
        judge<SOLVER_THREADS>(of.blocks, of.sums[sweep % WARP_SUMS], &of.rule, of.log, sweep, of.told);
    __syncthreads(); /* the log is complete before anyone reads there which x is the answer */
    const real *const answer = of.x[of.log->sweeps % WARP_XS];
    for (int i = threadIdx.x; i < of.n; i += SOLVER_THREADS)
        x[i] = answer[i];
}

struct state {
    struct solver_graph graph;
    void *xs;
    double *sums;
    int64_t *begun;
};

template <typename real> static struct solver<real> solver_of(const struct job *job) {
    const struct state *state = (const struct state *)job->state;
    struct solver<real> of;
    of.n = (int)job->cell->n;
    of.blocks = (of.n + WARP_ROWS - 1) / WARP_ROWS;
    of.rule = solver_rule_of(job->cell);
    of.a = (const real *)job->operand[SOLVER_A];
    of.b = (const real *)job->operand[SOLVER_B];
    for (int i = 0; i < WARP_XS; i++)
        of.x[i] = (real *)state->xs + (int64_t)i * of.n;
    for (int i = 0; i < WARP_SUMS; i++)
        of.sums[i] = state->sums + (int64_t)i * of.blocks;
    of.begun = state->begun;
    of.log = (struct solver_log *)job->operand[SOLVER_LOG];
    of.told = state->graph.told;
    return of;
}

template <typename real, int COUNT>
static void enqueue_sweep(struct job *job, int64_t k)
{
    const struct solver<real> of = solver_of<real>(job);
    jacobi_warp<real, COUNT><<<of.blocks + 1, WARP_THREADS, 0, (cudaStream_t)job->stream>>>(
        of, of.x[k % WARP_XS], of.x[(k + 1) % WARP_XS], of.sums[(k + 1) % WARP_SUMS], of.sums[k % WARP_SUMS]);
}

template <typename real> static int enqueue(struct job *job, int64_t k)
{
    enum { COUNT = 16 / sizeof(real) };
    if (job->cell->n % COUNT == 0)
        enqueue_sweep<real, COUNT>(job, k);
    else
        enqueue_sweep<real, 1>(job, k);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

static int enqueue_any(struct job *job, int64_t k)
{
    return job->cell->precision == F32 ? enqueue<float>(job, k) : enqueue<double>(job, k);
}

CUDA_ENTRY void jacobi_cuda_warp_release(struct job *job)
{
    struct state *state = (struct state *)job->state;
    solver_graph_release(&state->graph);
    cudaFree(state->xs);
    cudaFree(state->sums);
    cudaFree(state->begun);
    delete state;
    job->state = NULL;
}

static int prepare(struct job *job, struct state *state)
{
    const int64_t n = job->cell->n, blocks = (n + WARP_ROWS - 1) / WARP_ROWS;
    CUDA_TRY(job, cudaMalloc(&state->xs, (size_t)(WARP_XS * n * cell_element_bytes(job->cell))));
    CUDA_TRY(job, cudaMalloc(&state->sums, (size_t)(WARP_SUMS * blocks) * sizeof(double)));
    CUDA_TRY(job, cudaMalloc(&state->begun, sizeof *state->begun));
    const int64_t sweeps = solver_graph_sweeps(job->cell, WARP_XS * WARP_SUMS);
    return solver_graph_prepare(job, &state->graph, sweeps) != 0
               ? -1
               : solver_graph_capture(job, &state->graph, enqueue_any);
}

CUDA_ENTRY int jacobi_cuda_warp_prepare(struct job *job)
{
    struct state *state = new struct state();
    job->state = state;
    if (prepare(job, state) == 0)
        return 0;
    jacobi_cuda_warp_release(job);
    return -1;
}

template <typename real> static int launch(struct job *job)
{
    struct state *state = (struct state *)job->state;
    const struct solver<real> of = solver_of<real>(job);
    const cudaStream_t stream = (cudaStream_t)job->stream;
    CUDA_TRY(job, cudaMemsetAsync(of.x[0], 0, (size_t)of.n * sizeof(real), stream));
    jacobi_warp_begin<<<1, 1, 0, stream>>>(of);
    CUDA_TRY(job, cudaGetLastError());
    if (solver_graph_run(job, &state->graph, enqueue_any) != 0)
        return -1;
    jacobi_warp_end<<<1, SOLVER_THREADS, 0, stream>>>(of, (real *)job->operand[SOLVER_X]);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

CUDA_ENTRY_BY_FLOAT(jacobi_cuda_warp)

#else

VARIANT(jacobi, cuda_warp) = {
    .summary = "one warp for each row, a fused residual, many sweeps in one CUDA graph",
    .summary_ru = "варп на строку, невязка в том же ядре, много итераций в одном графе CUDA",
    .source = "tilelab",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .typical_gflops = 1000,
};

#endif
