/* x of A x = b by Jacobi's method, the whole run in one launch: x_{k+1} = x_k + omega r_k / diag(A), r_k = b - A x_k.
 * A (n x n) is diagonally dominant and row-major; n is any up to 2048 in f64 and 3072 in f32.
 * A thread block owns neighbouring rows and reads them once, into its registers and shared memory. A thread holds some
 * columns of these rows. It waits for its own elements of x only: each is sent together with the number of its sweep.
 * So a sweep has no barrier of the grid. The launch is cooperative: all blocks must fit on the device at once.
 * Differs from cuda-persistent: A stays on chip (Diamos et al. 2016); elements of x are signals. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The kernels that are built, each for n up to a limit: EACH(limit, threads, columns of a thread, rows of a block, rows
 * in registers). A block has limit / 128 rows, so that 128 blocks suffice. The other rows lie in shared memory. */
#define SHAPES_F64(EACH) EACH(512, 96, 6, 4, 4) EACH(1024, 128, 8, 8, 8) EACH(2048, 352, 6, 16, 6)
#define SHAPES_F32(EACH) \
    EACH(512, 96, 6, 4, 4) EACH(1024, 128, 8, 8, 8) EACH(2048, 352, 6, 16, 16) EACH(3072, 352, 9, 24, 12)

#ifdef __CUDACC__

#include "common/solver_device.cuh"
#include "common/tagged_poll.cuh"

enum {
    BLOCKS = 128,    /* most thread blocks of a grid */
    X_BUFFERS = 2,   /* x_{k+2} replaces x_k */
    SUM_BUFFERS = 4, /* a sum of squares of sweep k + 4 replaces that of sweep k */
    GROUP_ROWS = 8,  /* most rows whose sums a warp finds together */
    LATE = 2,        /* the residual of sweep k - LATE is judged during sweep k, so that nobody waits for it */
};

template <typename real> struct solver {
    int n;
    struct solver_rule rule;
    const real *a, *b;
    tagged_value<real> *x_values;     /* elements of x, X_BUFFERS times n; all 0 at first */
    tagged_value<double> *sum_values; /* sums of squares, SUM_BUFFERS times one for each thread block; all 0 at first */
    real *x;
    struct solver_log *log;
};

/* Waits for COUNT values, each `stride` from the one before; value `end` - 1 stands for all behind it. One thread of
 * each warp polls first, to spare the cache requests. Then all loads are under way at once. */
template <int COUNT, typename real>
static __device__ void wait_for(const tagged_value<real> *from, int first, int stride, int end, unsigned tag,
                                real (&value)[COUNT])
{
    if (threadIdx.x % WARP_SIZE == 0)
        tagged_value_wait(from + min(first + (COUNT - 1) * stride, end - 1), tag);
    __syncwarp(); /* the other lanes poll only after the first lane has its value */
    bool late;
    do {
        late = false;
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            late |= !tagged_value_try(from + min(first + i * stride, end - 1), tag, value[i]);
    } while (late);
}

/* Adds up ROWS values over the lanes of a warp. Lane l gets the sum of value l / (32 / ROWS). In each of the first
 * steps a lane hands half of its values to another lane, so that every sum is made once. */
template <int ROWS, typename real> static __device__ real sum_by_lane(real (&value)[ROWS])
{
    const int lane = threadIdx.x % WARP_SIZE;
#pragma unroll
    for (int half = ROWS / 2, offset = WARP_SIZE / 2; half > 0; half /= 2, offset /= 2)
#pragma unroll
        for (int r = 0; r < half; r++) {
            const bool upper = lane & offset;
            const real given = upper ? value[r] : value[r + half], kept = upper ? value[r + half] : value[r];
            value[r] = kept + __shfl_xor_sync(0xffffffffu, given, offset);
        }
    return solver_group_sum<WARP_SIZE / ROWS>(value[0]);
}

/* Judges the residual of sweep k, from the sums of all blocks; a warp calls this. */
template <typename real>
static __device__ void judge(const struct solver<real> &of, int64_t k, struct solver_log &log, int64_t &end)
{
    const int lane = threadIdx.x % WARP_SIZE, blocks = gridDim.x;
    double square[BLOCKS / WARP_SIZE], sum = 0;
    wait_for(of.sum_values + k % SUM_BUFFERS * blocks, lane, WARP_SIZE, blocks, (unsigned)(k + 1), square);
#pragma unroll
    for (int i = 0; i < BLOCKS / WARP_SIZE; i++)
        sum += lane + i * WARP_SIZE < blocks ? square[i] : 0;
    sum = solver_group_sum<WARP_SIZE>(sum);
    if (lane == 0)
        end = solver_note(&of.rule, &log, k, sqrt(sum));
}

/* A thread block has one warp more than the warps that hold the matrix: it judges the residuals. */
template <typename real, int THREADS, int COLUMNS, int ROWS, int KEPT>
__global__ void __launch_bounds__(THREADS + WARP_SIZE, 1) jacobi_onchip(const struct solver<real> of)
{
    enum { WARPS = THREADS / WARP_SIZE, GROUP = ROWS < GROUP_ROWS ? ROWS : GROUP_ROWS, REST = ROWS - KEPT };
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ __align__(16) real partial[2][ROWS][WARPS]; /* the warps' sums of each row, for even and odd sweeps */
    __shared__ struct solver_log log;
    __shared__ int64_t end[2]; /* for even and odd sweeps, since a slow warp may still read the last one */
    real *const rest = (real *)memory + threadIdx.x;
    const int thread = threadIdx.x, warp = thread / WARP_SIZE, lane = thread % WARP_SIZE, n = of.n;
    const int first = blockIdx.x * ROWS, mine = first + thread;
    const bool judges = warp == WARPS, own = thread < ROWS && mine < n;

    real a[KEPT][COLUMNS];
#pragma unroll
    for (int r = 0; r < ROWS; r++)
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const int col = thread + c * THREADS;
            const real value = !judges && first + r < n && col < n ? of.a[(int64_t)(first + r) * n + col] : real(0);
            if (r < KEPT)
                a[r < KEPT ? r : 0][c] = value;
            else if (!judges)
                rest[((r - KEPT) * COLUMNS + c) * THREADS] = value;
        }
    const real b = own ? of.b[mine] : real(0);
    const real weight = own ? (real)of.rule.omega / of.a[(int64_t)mine * n + mine] : real(0);
    real x = 0, x_before = 0, x_first = 0; /* of the thread's row: x_k, x_{k-1} and x_{k-2} */
    if (judges && lane == 0)
        solver_begin(&log);

    for (int64_t k = 0;; k++) {
        if (judges) {
            if (lane == 0)
                end[k % 2] = SOLVER_RUNNING;
            if (k >= LATE)
                judge(of, k - LATE, log, end[k % 2]);
        } else {
            real of_x[COLUMNS], sum[ROWS] = {};
            wait_for(of.x_values + k % X_BUFFERS * n, thread, THREADS, n, (unsigned)k, of_x);
#pragma unroll
            for (int c = 0; c < COLUMNS; c++)
#pragma unroll
                for (int r = 0; r < ROWS; r++)
                    sum[r] +=
                        (r < KEPT ? a[r < KEPT ? r : 0][c] : rest[((r - KEPT) * COLUMNS + c) * THREADS]) * of_x[c];
#pragma unroll
            for (int group = 0; group < ROWS; group += GROUP) {
                real(&part)[GROUP] = (real(&)[GROUP])sum[group];
                const real found = sum_by_lane(part);
                if (lane % (WARP_SIZE / GROUP) == 0)
                    partial[k % 2][group + lane / (WARP_SIZE / GROUP)][warp] = found;
            }
        }
        __syncthreads(); /* all warps have written their sums, and the end of the run, before anyone reads them */
        if (end[k % 2] != SOLVER_RUNNING)
            break;
        if (warp != 0)
            continue;
        real product = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            product += partial[k % 2][min(lane, ROWS - 1)][w];
        const real residual = b - product;
        x_first = x_before;
        x_before = x;
        x += weight * residual;
        if (own)
            tagged_value_store(of.x_values + (k + 1) % X_BUFFERS * n + mine, x, (unsigned)(k + 1));
        const double squares = solver_group_sum<WARP_SIZE>(own ? (double)residual * (double)residual : 0.0);
        if (lane == 0)
            tagged_value_store(of.sum_values + k % SUM_BUFFERS * gridDim.x + blockIdx.x, squares, (unsigned)(k + 1));
    }
    /* The loop was left in sweep k with x_k, and with the end of sweep k - 2. */
    if (own)
        of.x[mine] = log.end == SOLVER_COUNTED ? x_before : x_first;
    if (blockIdx.x == 0)
        for (int i = thread; i < (int)(sizeof log / sizeof(int64_t)); i += THREADS + WARP_SIZE)
            ((int64_t *)of.log)[i] = ((const int64_t *)&log)[i];
}

/* --- The launch --- */

struct shape {
    const void *kernel;
    int most, threads, rows;
    size_t shared_bytes;
};

struct state {
    struct shape shape;
    int blocks;
    void *values; /* the values of x, then those of the sums */
    size_t x_bytes, values_bytes;
};

#define SHAPE(limit, threads, columns, rows, kept) \
    {(const void *)jacobi_onchip<real, threads, columns, rows, kept>, limit, threads + WARP_SIZE, rows, \
     (size_t)(rows - kept) * columns * threads * sizeof(real)},

/* Chooses the smallest shape that holds the matrix with no more thread blocks than the device has multiprocessors. */
static int plan(struct job *job, const struct shape *shape, int shapes)
{
    struct state *state = (struct state *)job->state;
    const int64_t n = job->cell->n;
    int device, multiprocessors;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    for (int i = 0; i < shapes; i++) {
        const int64_t blocks = (n + shape[i].rows - 1) / shape[i].rows;
        if (n > shape[i].most || blocks > multiprocessors)
            continue;
        int resident;
        CUDA_TRY(job, cudaFuncSetAttribute(shape[i].kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)shape[i].shared_bytes));
        CUDA_TRY(job, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, shape[i].kernel, shape[i].threads,
                                                                    shape[i].shared_bytes));
        if (resident == 0)
            continue;
        state->shape = shape[i];
        state->blocks = (int)blocks;
        return 0;
    }
    return job_fail(job, "n = %lld needs more than the %d multiprocessors of this device", (long long)n,
                    multiprocessors);
}

template <typename real> static int prepare(struct job *job)
{
    struct state *state = (struct state *)job->state;
    if constexpr (sizeof(real) == sizeof(double)) {
        const struct shape shapes[] = {SHAPES_F64(SHAPE)};
        if (plan(job, shapes, sizeof shapes / sizeof *shapes) != 0)
            return -1;
    } else {
        const struct shape shapes[] = {SHAPES_F32(SHAPE)};
        if (plan(job, shapes, sizeof shapes / sizeof *shapes) != 0)
            return -1;
    }
    state->x_bytes = X_BUFFERS * (size_t)job->cell->n * sizeof(tagged_value<real>);
    state->values_bytes = state->x_bytes + SUM_BUFFERS * (size_t)state->blocks * sizeof(tagged_value<double>);
    CUDA_TRY(job, cudaMalloc(&state->values, state->values_bytes));
    return 0;
}

CUDA_ENTRY void jacobi_cuda_onchip_release(struct job *job)
{
    struct state *state = (struct state *)job->state;
    cudaFree(state->values);
    delete state;
    job->state = NULL;
}

CUDA_ENTRY int jacobi_cuda_onchip_prepare(struct job *job)
{
    job->state = new struct state();
    const int status = job->cell->precision == F32 ? prepare<float>(job) : prepare<double>(job);
    if (status != 0)
        jacobi_cuda_onchip_release(job);
    return status;
}

template <typename real> static int launch(struct job *job)
{
    const struct state *state = (const struct state *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    struct solver<real> of;
    of.n = (int)job->cell->n;
    of.rule = solver_rule_of(job->cell);
    of.a = (const real *)job->operand[SOLVER_A];
    of.b = (const real *)job->operand[SOLVER_B];
    of.x_values = (tagged_value<real> *)state->values;
    of.sum_values = (tagged_value<double> *)((char *)state->values + state->x_bytes);
    of.x = (real *)job->operand[SOLVER_X];
    of.log = (struct solver_log *)job->operand[SOLVER_LOG];
    void *arguments[] = {&of};
    CUDA_TRY(job, cudaMemsetAsync(state->values, 0, state->values_bytes, stream));
    CUDA_TRY(job, cudaLaunchCooperativeKernel(state->shape.kernel, dim3(state->blocks), dim3(state->shape.threads),
                                              arguments, state->shape.shared_bytes, stream));
    return 0;
}

CUDA_ENTRY_BY_FLOAT(jacobi_cuda_onchip)

#else

static const char *reject(const struct cell *cell)
{
    enum { MOST_F64 = 2048, MOST_F32 = 3072 };
    const int64_t n = cell->n, most = cell->precision == F64 ? MOST_F64 : MOST_F32;
    const int64_t bytes = cell_element_bytes(cell);
    if (n <= most)
        return NULL;
    return cell_reason("the matrix takes %.4g MB; registers and shared memory hold %.3g MB (n = %lld)",
                       1e-6 * (double)n * (double)(n * bytes), 1e-6 * (double)(most * most * bytes), (long long)most);
}

VARIANT(jacobi, cuda_onchip) = {
    .summary = "one launch for all sweeps, the matrix held in registers and shared memory",
    .summary_ru = "один запуск на все итерации, матрица лежит в регистрах и разделяемой памяти",
    .source = "tilelab",
    .precisions = FLOATS,
    .unit = UNIT_MEMORY,
    .compute_capability = 80,
    .typical_gflops = 2000,
    .reject = reject,
    .unmodelled = "threads poll for the values of others, as often as it takes",
};

#endif
