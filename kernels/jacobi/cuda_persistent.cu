/* x of A x = b by Jacobi's method, the whole solve one launch: x_{k+1} = x_k + omega r_k / diag(A), r_k = b - A x_k.
 * A (n x n, diagonally dominant), b, x, row-major; any n; loads of 16 bytes where they divide a row.
 * A block has one run of rows, a warp one or four at a time, and keeps in shared memory what it can.
 * One barrier of the grid a sweep; after it every block adds up all squares and judges for itself.
 * Differs from cuda-warp: no launch a sweep, no host. Cooperative: all blocks run at once.
 * Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "variant.h"

#ifndef __CUDACC__

VARIANT(jacobi, cuda_persistent) = {
    .summary = "one launch a solve, a barrier of the grid a sweep",
    .source = "tilelab",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .compute_capability = 80,
    .typical_gflops = 1000,
};

#else

#include "common/solver_device.cuh"

enum {
    GRID_THREADS = 512,
    GRID_WARPS = GRID_THREADS / WARP_SIZE,
    GRID_LOADS = 8, /* of A under way, a thread, at least */
    GRID_ROWS = 8,  /* of a block, at least: in a smaller grid the barrier is faster */
};

template <typename real> struct solver {
    int n, kept; /* rows of A that a block keeps in shared memory */
    struct solver_rule rule;
    const real *a, *b;
    real *even, *odd;            /* x_k; the even one is 0 at first */
    double *sums;                /* of squares, two a block */
    unsigned long long *arrived; /* blocks at barriers, 0 at first */
    struct solver_log *log;
};

/* Every block is here before anyone goes on. `all`: arrivals until then. */
static __device__ void grid_barrier(unsigned long long *arrived, unsigned long long all)
{
    __syncthreads(); /* what the block has written is released by its first thread's arrival */
    if (threadIdx.x == 0) {
#if __CUDA_ARCH__ >= 800
        unsigned long long seen;
        asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(arrived) : "memory");
        do {
            asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(arrived) : "memory");
        } while (seen < all);
#endif
    }
    __syncthreads(); /* nobody reads what others have written before the first thread has seen them arrive */
}

/* Rows `group` to group + ROWS - 1 of the block's, by a warp. Returns the square of a lane's residual. */
template <typename real, int COUNT, int ROWS>
static __device__ double step(const struct solver<real> &of, const solver_pack<real, COUNT> *kept, int first, int rows,
                              int group, const real *now, real *next)
{
    using pack = solver_pack<real, COUNT>;
    enum { LOADS = ROWS == 1 ? GRID_LOADS : 2 * GRID_LOADS / ROWS };
    const int lane = threadIdx.x % WARP_SIZE, packs = of.n / COUNT;
    const bool own = lane < ROWS && group + lane < rows;
    const int mine = first + (own ? group + lane : 0);
    const real b = of.b[mine], x = now[mine];
    const real weight = (real)of.rule.omega / of.a[(int64_t)mine * of.n + mine];

    const pack *row[ROWS];
    real product[ROWS];
    if (min(group + ROWS, rows) <= of.kept) {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            row[r] = kept + (int64_t)min(group + r, rows - 1) * packs;
        solver_products<LOADS, false>(packs, row, (const pack *)now, product);
    } else {
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            row[r] = (const pack *)of.a + (int64_t)(first + min(group + r, rows - 1)) * packs;
        solver_products<LOADS, true>(packs, row, (const pack *)now, product);
    }
    if (!own)
        return 0;
    real residual = b - product[0];
#pragma unroll
    for (int r = 1; r < ROWS; r++)
        if (lane == r)
            residual = b - product[r];
    next[mine] = x + weight * residual;
    return (double)residual * residual;
}

template <typename real, int COUNT, int ROWS>
__global__ void __launch_bounds__(GRID_THREADS, 1) jacobi_persistent(const struct solver<real> of)
{
    using pack = solver_pack<real, COUNT>;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ struct solver_log log;
    __shared__ int64_t end;
    pack *const kept = (pack *)memory;
    const int blocks = gridDim.x, block = blockIdx.x, warp = threadIdx.x / WARP_SIZE;
    const int first = (int)((int64_t)of.n * block / blocks);
    const int rows = (int)((int64_t)of.n * (block + 1) / blocks) - first;
    const int64_t packs = of.n / COUNT, copied = min(of.kept, rows) * packs;

    if (threadIdx.x == 0)
        solver_begin(&log);
    for (int64_t i = threadIdx.x; i < copied; i += GRID_THREADS)
        kept[i] = solver_load_once((const pack *)of.a + first * packs + i);
    __syncthreads(); /* the kept rows are there before anyone reads them */

    for (int64_t k = 0;; k++) {
        double squares = 0;
        for (int group = warp * ROWS; group < rows; group += GRID_WARPS * ROWS)
            squares += step<real, COUNT, ROWS>(of, kept, first, rows, group, k % 2 ? of.odd : of.even,
                                               k % 2 ? of.even : of.odd);
        squares = solver_block_sum<GRID_THREADS>(squares);
        double *const sums = of.sums + k % 2 * blocks; /* the others may still read the last ones */
        if (threadIdx.x == 0)
            sums[block] = squares;
        grid_barrier(of.arrived, (unsigned long long)(k + 1) * blocks);
        squares = 0;
        for (int i = threadIdx.x; i < blocks; i += GRID_THREADS)
            squares += sums[i];
        squares = solver_block_sum<GRID_THREADS>(squares);
        if (threadIdx.x == 0)
            end = solver_note(&of.rule, &log, k, sqrt(squares));
        __syncthreads(); /* the verdict is there before anyone acts on it */
        if (end != SOLVER_RUNNING)
            break;
    }
    if (log.sweeps % 2)
        for (int i = threadIdx.x; i < rows; i += GRID_THREADS)
            of.even[first + i] = of.odd[first + i];
    if (block == 0)
        for (int i = threadIdx.x; i < (int)(sizeof log / sizeof(int64_t)); i += GRID_THREADS)
            ((int64_t *)of.log)[i] = ((const int64_t *)&log)[i];
}

struct state {
    const void *kernel;
    int blocks, kept;
    size_t kept_bytes;
    void *odd;
    double *sums;
    unsigned long long *arrived;
};

template <typename real> static const void *kernel_for(int64_t n, int64_t rows)
{
    enum { COUNT = 16 / sizeof(real) };
    if (n % COUNT != 0)
        return (const void *)jacobi_persistent<real, 1, 1>;
    return rows <= GRID_WARPS ? (const void *)jacobi_persistent<real, COUNT, 1>
                              : (const void *)jacobi_persistent<real, COUNT, 4>;
}

/* The grid, and what a block keeps: whole groups of rows, as many as leave the first-level cache, which is of the same
 * memory, room for x. */
template <typename real> static int plan(struct job *job)
{
    struct state *state = (struct state *)job->state;
    const int64_t n = job->cell->n, row_bytes = n * (int64_t)sizeof(real);
    int device, multiprocessors, most, resident;
    cudaFuncAttributes own;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    const int64_t wanted = (n + GRID_ROWS - 1) / GRID_ROWS;
    state->blocks = (int)(wanted < multiprocessors ? wanted : multiprocessors);
    const int64_t rows = (n + state->blocks - 1) / state->blocks;
    state->kernel = kernel_for<real>(n, rows);
    CUDA_TRY(job, cudaFuncGetAttributes(&own, state->kernel));
    const int room = most - (int)own.sharedSizeBytes;
    CUDA_TRY(job, cudaFuncSetAttribute(state->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       room)); /* for whatever n */
    const int64_t fit = room / row_bytes - 1;
    state->kept = (int)(fit >= rows ? rows : fit > 0 ? fit - fit % 4 : 0);
    state->kept_bytes = (size_t)(state->kept * row_bytes);
    CUDA_TRY(job,
             cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, state->kernel, GRID_THREADS, state->kept_bytes));
    return resident > 0 ? 0 : job_fail(job, "no block of %d threads fits", GRID_THREADS);
}

static int allocate(struct job *job)
{
    struct state *state = (struct state *)job->state;
    CUDA_TRY(job, cudaMalloc(&state->odd, (size_t)(job->cell->n * cell_element_bytes(job->cell))));
    CUDA_TRY(job, cudaMalloc(&state->sums, 2 * (size_t)state->blocks * sizeof(double)));
    CUDA_TRY(job, cudaMalloc(&state->arrived, sizeof *state->arrived));
    return 0;
}

CUDA_ENTRY void jacobi_cuda_persistent_release(struct job *job)
{
    struct state *state = (struct state *)job->state;
    cudaFree(state->odd);
    cudaFree(state->sums);
    cudaFree(state->arrived);
    delete state;
    job->state = NULL;
}

CUDA_ENTRY int jacobi_cuda_persistent_prepare(struct job *job)
{
    job->state = new struct state();
    if ((job->cell->precision == F32 ? plan<float>(job) : plan<double>(job)) == 0 && allocate(job) == 0)
        return 0;
    jacobi_cuda_persistent_release(job);
    return -1;
}

template <typename real> static int launch(struct job *job)
{
    const struct state *state = (const struct state *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    struct solver<real> of;
    of.n = (int)job->cell->n;
    of.kept = state->kept;
    of.rule = solver_rule_of(job->cell);
    of.a = (const real *)job->operand[SOLVER_A];
    of.b = (const real *)job->operand[SOLVER_B];
    of.even = (real *)job->operand[SOLVER_X];
    of.odd = (real *)state->odd;
    of.sums = state->sums;
    of.arrived = state->arrived;
    of.log = (struct solver_log *)job->operand[SOLVER_LOG];
    void *arguments[] = {&of};
    CUDA_TRY(job, cudaMemsetAsync(of.even, 0, (size_t)of.n * sizeof(real), stream));
    CUDA_TRY(job, cudaMemsetAsync(of.arrived, 0, sizeof *of.arrived, stream));
    CUDA_TRY(job, cudaLaunchCooperativeKernel(state->kernel, dim3(state->blocks), dim3(GRID_THREADS), arguments,
                                              state->kept_bytes, stream));
    return 0;
}

CUDA_ENTRY int jacobi_cuda_persistent_launch(struct job *job)
{
    CUDA_BY_FLOAT(job, launch);
}

#endif
