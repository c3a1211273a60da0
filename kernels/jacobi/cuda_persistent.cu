/* x of A x = b by Jacobi's method, the whole run in one launch: x_{k+1} = x_k + omega r_k / diag(A), r_k = b - A x_k.
 * A (n x n) is diagonally dominant and row-major; n is any. Loads take 16 bytes if a row is a multiple of 16 bytes.
 * A thread block owns neighbouring rows and keeps what fits in shared memory. A warp takes one or four rows at a time.
 * A sweep has one barrier of the grid. Each block then adds up all squared residuals and decides whether to stop.
 * The launch is cooperative: all blocks must fit on the device at once.
 * Differs from cuda-warp: no launch and no host between sweeps. Source: tilelab, after Xiao and Feng (2010).
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "common/solver_device.cuh"

enum {
    GRID_THREADS = 512,
    GRID_WARPS = GRID_THREADS / WARP_SIZE,
    GRID_LOADS = 8, /* least number of loads of A that a thread has under way */
    GRID_ROWS = 8,  /* least number of rows of a thread block: a smaller grid has a faster barrier */
};

template <typename real> struct solver {
    int n, kept; /* number of rows; rows that a block keeps in shared memory */
    struct solver_rule rule;
    const real *a, *b;
    real *even, *odd;            /* x_k for even and for odd k; x_0 = 0 */
    double *sums;                /* sums of squares: two for each block, for even and odd sweeps */
    unsigned long long *arrived; /* number of arrivals at barriers; starts at 0 */
    struct solver_log *log;
};

/* A barrier of the grid: no block goes on before all have arrived. `all` is the number of arrivals until then. */
static __device__ void grid_barrier(unsigned long long *arrived, unsigned long long all)
{
    __syncthreads(); /* all threads have written their data before the first thread's arrival releases it */
    if (threadIdx.x == 0) {
#if __CUDA_ARCH__ >= 800
        unsigned long long seen;
        asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(arrived) : "memory");
        do {
            asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(seen) : "l"(arrived) : "memory");
        } while (seen < all);
#endif
    }
    __syncthreads(); /* the first thread has seen all arrivals before anyone reads what other blocks have written */
}

/* Computes rows `group` to group + ROWS - 1 of the block; a warp calls this. Each lane with a row returns the square of
 * its residual, other lanes 0. */
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
    __syncthreads(); /* the kept rows are in shared memory before anyone reads them */

    for (int64_t k = 0;; k++) {
        double squares = 0;
        for (int group = warp * ROWS; group < rows; group += GRID_WARPS * ROWS)
            squares += step<real, COUNT, ROWS>(of, kept, first, rows, group, k % 2 ? of.odd : of.even,
                                               k % 2 ? of.even : of.odd);
        squares = solver_block_sum<GRID_THREADS>(squares);
        double *const sums = of.sums + k % 2 * blocks; /* other blocks may still read those of the last sweep */
        if (threadIdx.x == 0)
            sums[block] = squares;
        grid_barrier(of.arrived, (unsigned long long)(k + 1) * blocks);
        squares = 0;
        for (int i = threadIdx.x; i < blocks; i += GRID_THREADS)
            squares += sums[i];
        squares = solver_block_sum<GRID_THREADS>(squares);
        if (threadIdx.x == 0)
            end = solver_note(&of.rule, &log, k, sqrt(squares));
        __syncthreads(); /* the first thread has written `end` before anyone reads it */
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

/* Plans the grid, and the rows that a block keeps: whole groups of rows. The first-level cache shares the memory, so
 * that room for x must remain. */
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
                                       room)); /* the limit does not depend on n */
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

CUDA_ENTRY_BY_FLOAT(jacobi_cuda_persistent)

#else

VARIANT(jacobi, cuda_persistent) = {
    .summary = "one launch for all sweeps, a grid-wide barrier after each sweep",
    .summary_ru = "один запуск на все итерации, барьер всей сетки после каждой",
    .source = "tilelab",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .compute_capability = 80,
    .typical_gflops = 1000,
};

#endif
