/* What the CUDA kernels of the iterative solvers share: sums in a fixed order, and the loop of kernels whose host
 * checks the residual after every sweep. For the device part of a kernel file.
 * SPDX-License-Identifier: MIT */
#ifndef TILELAB_COMMON_SOLVER_DEVICE_CUH
#define TILELAB_COMMON_SOLVER_DEVICE_CUH

#include "cuda_variant.cuh"
#include "solver.h"

#include <math.h>

enum { WARP_SIZE = 32, SOLVER_THREADS = 1024 };

/* The elements that one load instruction brings. */
template <typename real, int COUNT> struct alignas(COUNT * sizeof(real)) solver_pack {
    real element[COUNT];
};

/* A streaming load: it does not keep its data in the first-level cache, which other data needs. */
template <typename real, int COUNT>
static __device__ solver_pack<real, COUNT> solver_load_once(const solver_pack<real, COUNT> *from)
{
    solver_pack<real, COUNT> loaded;
    if constexpr (COUNT == 1) {
        loaded.element[0] = __ldcs(from->element);
    } else {
        static_assert(sizeof loaded == sizeof(uint4), "one load of 16 bytes");
        const uint4 raw = __ldcs((const uint4 *)from);
        memcpy(&loaded, &raw, sizeof raw);
    }
    return loaded;
}

/* The sum over each group of WIDTH neighbouring lanes of a warp; WIDTH is a power of two. All lanes get it. */
template <int WIDTH, typename real> static __device__ real solver_group_sum(real value)
{
#pragma unroll
    for (int offset = WIDTH / 2; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

/* The sum over a block of THREADS threads, 32 times a power of two. All threads get it. */
template <int THREADS> static __device__ double solver_block_sum(double value)
{
    enum { WARPS = THREADS / WARP_SIZE };
    __shared__ double of_warp[WARPS];
    value = solver_group_sum<WARP_SIZE>(value);
    __syncthreads(); /* everyone has read the sums of the last call before they are overwritten */
    if (threadIdx.x % WARP_SIZE == 0)
        of_warp[threadIdx.x / WARP_SIZE] = value;
    __syncthreads(); /* all warps have written their sums before anyone adds them */
    return solver_group_sum<WARPS>(of_warp[threadIdx.x % WARPS]);
}

/* --- Rows times x --- */

/* Multiplies the packs from `first` on by x and adds the products to `sum`. Each lane first starts LOADS loads of every
 * row, so that all are under way at once. At the edge, a lane without a pack of its own loads the last one, times 0. */
template <int LOADS, bool EDGE, bool ONCE, typename real, int COUNT, int ROWS>
static __device__ void solver_add_products(int first, int packs, const solver_pack<real, COUNT> *const (&row)[ROWS],
                                           const solver_pack<real, COUNT> *x, real (&sum)[ROWS][COUNT])
{
    solver_pack<real, COUNT> of_x[LOADS], of_row[ROWS][LOADS];
    const int lane = first + threadIdx.x % WARP_SIZE;
#pragma unroll
    for (int u = 0; u < LOADS; u++) {
        const int at = EDGE ? min(lane + u * WARP_SIZE, packs - 1) : lane + u * WARP_SIZE;
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            of_row[r][u] = ONCE ? solver_load_once(&row[r][at]) : row[r][at];
        of_x[u] = x[at];
    }
    __syncwarp(); /* protects no data: it keeps the compiler from waiting for each load before the next */
#pragma unroll
    for (int u = 0; u < LOADS; u++)
#pragma unroll
        for (int e = 0; e < COUNT; e++) {
            const real factor = !EDGE || lane + u * WARP_SIZE < packs ? of_x[u].element[e] : real(0);
#pragma unroll
            for (int r = 0; r < ROWS; r++)
                sum[r][e] += of_row[r][u].element[e] * factor;
        }
}

/* product[r] = row[r] x, computed by a warp; every lane gets it. A row has `packs` packs of COUNT elements. ONCE means
 * that the rows come from global memory and will not be read again soon. */
template <int LOADS, bool ONCE, typename real, int COUNT, int ROWS>
static __device__ void solver_products(int packs, const solver_pack<real, COUNT> *const (&row)[ROWS],
                                       const solver_pack<real, COUNT> *x, real (&product)[ROWS])
{
    real sum[ROWS][COUNT] = {};
    int first = 0;
    for (; first + LOADS * WARP_SIZE <= packs; first += LOADS * WARP_SIZE)
        solver_add_products<LOADS, false, ONCE>(first, packs, row, x, sum);
    if (first < packs)
        solver_add_products<LOADS, true, ONCE>(first, packs, row, x, sum);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
#pragma unroll
        for (int e = 1; e < COUNT; e++)
            sum[r][0] += sum[r][e];
        product[r] = solver_group_sum<WARP_SIZE>(sum[r][0]);
    }
}

/* --- The norm of b - A x, by a separate pass over A --- */

/* Squares of the elements of the residual; a warp computes one row. */
template <typename real>
static __global__ void solver_squares(int64_t n, const real *__restrict__ a, const real *__restrict__ b,
                                      const real *__restrict__ x, double *__restrict__ squares)
{
    const int lane = threadIdx.x % WARP_SIZE;
    const int64_t row = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) / WARP_SIZE;
    if (row >= n)
        return;
    real sum = 0;
#pragma unroll 8
    for (int64_t j = lane; j < n; j += WARP_SIZE)
        sum += a[row * n + j] * x[j];
    const double residual = (double)(b[row] - solver_group_sum<WARP_SIZE>(sum));
    if (lane == 0)
        squares[row] = residual * residual;
}

template <int THREADS>
static __global__ void __launch_bounds__(THREADS)
    solver_total(int64_t n, const double *__restrict__ squares, double *__restrict__ total)
{
    double sum = 0;
    for (int64_t i = threadIdx.x; i < n; i += THREADS)
        sum += squares[i];
    sum = solver_block_sum<THREADS>(sum);
    if (threadIdx.x == 0)
        *total = sum;
}

/* The state of a variant whose host checks the residual after every sweep. */
struct solver_work {
    void *spare;     /* the second x */
    double *squares; /* n squares of the residual's elements, then their sum */
};

static inline void solver_work_release(struct job *job)
{
    struct solver_work *work = (struct solver_work *)job->state;
    cudaFree(work->spare);
    cudaFree(work->squares);
    delete work;
    job->state = NULL;
}

static inline int solver_work_allocate(struct job *job, struct solver_work *work)
{
    const int64_t n = job->cell->n;
    CUDA_TRY(job, cudaMalloc(&work->spare, (size_t)(n * cell_element_bytes(job->cell))));
    CUDA_TRY(job, cudaMalloc(&work->squares, (size_t)(n + 1) * sizeof(double)));
    return 0;
}

static inline int solver_work_prepare(struct job *job)
{
    struct solver_work *work = new solver_work();
    job->state = work;
    if (solver_work_allocate(job, work) == 0)
        return 0;
    solver_work_release(job);
    return -1;
}

/* Computes the norm of b - A x on the device, and waits for it. */
template <typename real> static int solver_norm(struct job *job, const real *x, double *norm)
{
    enum { THREADS = 256, ROWS = THREADS / WARP_SIZE };
    const struct solver_work *work = (const struct solver_work *)job->state;
    const int64_t n = job->cell->n;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    double *const total = work->squares + n;
    solver_squares<<<(unsigned)((n + ROWS - 1) / ROWS), THREADS, 0, stream>>>(
        n, (const real *)job->operand[SOLVER_A], (const real *)job->operand[SOLVER_B], x, work->squares);
    CUDA_TRY(job, cudaGetLastError());
    solver_total<SOLVER_THREADS><<<1, SOLVER_THREADS, 0, stream>>>(n, work->squares, total);
    CUDA_TRY(job, cudaGetLastError());
    CUDA_TRY(job, cudaMemcpyAsync(norm, total, sizeof *norm, cudaMemcpyDeviceToHost, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream));
    *norm = sqrt(*norm);
    return 0;
}

/* --- The loop --- */

/* A whole run. sweep(job, x_k, x_{k+1}) launches a sweep; norm(job, x_k, &norm) computes the norm of r_k. The operand x
 * holds x_k for even k, and `spare` for odd k. If `spare` is the operand x itself, sweeps are in place. */
template <typename real>
static int solver_by_host(struct job *job, real *spare, int (*sweep)(struct job *job, const real *now, real *next),
                          int (*norm)(struct job *job, const real *x, double *norm))
{
    const struct solver_rule rule = solver_rule_of(job->cell);
    const size_t bytes = (size_t)job->cell->n * sizeof(real);
    const cudaStream_t stream = (cudaStream_t)job->stream;
    real *const x[2] = {(real *)job->operand[SOLVER_X], spare}; /* x_k is x[k % 2] */
    struct solver_log log;
    int64_t end = SOLVER_RUNNING;

    CUDA_TRY(job, cudaMemsetAsync(x[0], 0, bytes, stream));
    solver_begin(&log);
    for (int64_t k = 0; end == SOLVER_RUNNING; k++) {
        double residual;
        if (norm(job, x[k % 2], &residual) != 0)
            return -1;
        end = solver_note(&rule, &log, k, residual);
        if (end != SOLVER_RUNNING && end != SOLVER_COUNTED)
            break;
        if (sweep(job, x[k % 2], x[(k + 1) % 2]) != 0)
            return -1;
    }
    if (log.sweeps % 2 != 0 && spare != x[0])
        CUDA_TRY(job, cudaMemcpyAsync(x[0], spare, bytes, cudaMemcpyDeviceToDevice, stream));
    CUDA_TRY(job, cudaMemcpyAsync(job->operand[SOLVER_LOG], &log, sizeof log, cudaMemcpyHostToDevice, stream));
    CUDA_TRY(job, cudaStreamSynchronize(stream)); /* the copy has read the local log before the function returns */
    return 0;
}

#endif
