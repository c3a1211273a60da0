/* x of A x = b by Gauss-Seidel or over-relaxation in the order of rows, the whole run in one launch.
 * A (n x n) is diagonally dominant and row-major; n is any. x is split into blocks x_J of `tile` unknowns, 32 or 64.
 * A thread block owns some neighbouring blocks of x. In step J the owner of x_J computes x_J by the inverse of a
 * diagonal block of D/omega + L, and sends it. All thread blocks then multiply their rows of block column J by x_J.
 * All thread blocks must fit on the device at once: the launch is cooperative. A sweep reads A once.
 * Differs from cuda-racy: the iterates of seq, up to rounding. Source: tilelab.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

/* The tiles that the kernel is built for. */
enum { SMALL_TILE = 32, LARGE_TILE = 64 };
#define TILES(EACH) EACH(SMALL_TILE) EACH(LARGE_TILE)

#ifdef __CUDACC__

#include "common/tagged_value.cuh"

#include "tile_stream.cuh"
#include "common/copy_async.cuh"
#include "common/solver_device.cuh"

enum { ROW_ARRAYS = 5 /* arrays in shared memory with an element for each row of the thread block */ };

template <typename real> struct solver {
    int n, blocks, owned; /* number of unknowns; of blocks of x; most blocks of x that a thread block owns */
    struct solver_rule rule;
    const real *a, *b;
    real *inverse;                    /* inverses of the diagonal blocks of D/omega + L */
    tagged_value<real> *x_values;     /* elements of x, in whole blocks; all 0 at first */
    tagged_value<double> *sum_values; /* sums of squares, two for each thread block; all 0 at first */
    real *x;
    struct solver_log *log;
};

/* --- A thread block --- */

/* The thread block's rows, in shared memory. */
template <typename real> struct block_rows {
    int count;
    real *sums;   /* (U + (1 - 1/omega) D) x_k + L x_{k+1}, as far as summed */
    real *before; /* (U + (1 - 1/omega) D) x_{k-1} from the last sweep; b in the first sweep */
    real *b;
    real *x, *x_before; /* x_k, and x_{k-1} */
};

template <typename real>
static __device__ void begin_rows(const struct solver<real> &of, int first, int threads, struct block_rows<real> &rows)
{
    for (int i = threadIdx.x; i < rows.count; i += threads) {
        const real b = first + i < of.n ? of.b[first + i] : real(0);
        rows.b[i] = rows.before[i] = b;
        rows.sums[i] = rows.x[i] = rows.x_before[i] = 0;
    }
}

/* Sends the sum of squares of r_k, at the start of sweep k. Sweep k - 1 solved (D/omega + L) x_k = b - (U + (1 -
 * 1/omega) D) x_{k-1}. Therefore r_k is the sums (U + (1 - 1/omega) D) x_{k-1} less the sums (U + (1 - 1/omega) D)
 * x_k. */
template <typename real, int THREADS>
static __device__ void send_squares(struct block_rows<real> &rows, tagged_value<double> *to, unsigned tag)
{
    double squares = 0;
    for (int i = threadIdx.x; i < rows.count; i += THREADS) {
        const real residual = rows.before[i] - rows.sums[i];
        rows.before[i] = rows.sums[i];
        squares += (double)residual * (double)residual;
    }
    squares = solver_block_sum<THREADS>(squares);
    if (threadIdx.x == 0)
        tagged_value_store(to, squares, tag);
}

/* Finds block `own` of the thread block's part of x by the inverse. Stores it in `x` and sends it to the others. */
template <typename real, int TILE>
static __device__ void find(struct block_rows<real> &rows, int own, const typename shape<real, TILE>::part &inverse,
                            real *x, tagged_value<real> *to, unsigned tag)
{
    using part = typename shape<real, TILE>::part;
    part right = part_of<real, TILE>(rows.b + own * TILE);
    const part sums = part_of<real, TILE>(rows.sums + own * TILE);
#pragma unroll
    for (int i = 0; i < shape<real, TILE>::LOADS; i++)
#pragma unroll
        for (int e = 0; e < shape<real, TILE>::COUNT; e++)
            right.of[i].element[e] -= sums.of[i].element[e];
    const real found = times<real, TILE>(inverse, right);
    const int row = threadIdx.x / ROW_THREADS;
    if (threadIdx.x % ROW_THREADS == 0) {
        tagged_value_store(to + row, found, tag);
        x[row] = found;
        rows.x_before[own * TILE + row] = rows.x[own * TILE + row];
        rows.x[own * TILE + row] = found;
    }
}

/* Waits for a block of x from its owner. In the thread block that finds the next block of x, which is urgent, all
 * threads poll from the start. In the others, one thread of each warp polls first, to spare the cache requests. */
template <typename real, int TILE>
static __device__ void wait_for(const tagged_value<real> *from, unsigned tag, bool urgent, real *x)
{
    if (threadIdx.x >= TILE)
        return;
    const bool asks = urgent || threadIdx.x % WARP_SIZE == 0;
    if (asks)
        x[threadIdx.x] = tagged_value_wait(from + threadIdx.x, tag);
    __syncwarp(); /* the other lanes poll only after the first lane has its value */
    if (!asks)
        x[threadIdx.x] = tagged_value_wait(from + threadIdx.x, tag);
}

/* Multiplies the thread block's tiles of a block column by the column's block of x. Adds the products to the sums;
 * `tile` is the first of these tiles. The diagonal block lies in the rows `here`; its products begin the next sweep's
 * sums. */
template <typename real, int TILE, bool WIDE>
static __device__ void multiply(struct stream<real, TILE, WIDE> &stream, struct block_rows<real> &rows,
                                typename shape<real, TILE>::part &tile, const real *x, int here, double omega)
{
    const typename shape<real, TILE>::part of_x = part_of<real, TILE>(x);
    for (int q = 0; q < stream.owned; q++) {
        if (q > 0)
            stream.next(tile);
        if (q == here)
            keep_upper<real, TILE>(tile, (real)omega);
        const real sum = times<real, TILE>(tile, of_x);
        real *const to = rows.sums + q * TILE + threadIdx.x / ROW_THREADS;
        if (threadIdx.x % ROW_THREADS == 0)
            *to = q == here ? sum : *to + sum;
    }
}

/* Copies the answer and the log to the operands. */
template <typename real>
static __device__ void store_answer(const struct solver<real> &of, int first, int threads,
                                    const struct block_rows<real> &rows, const struct solver_log &log)
{
    const real *const answer = log.end == SOLVER_COUNTED ? rows.x : rows.x_before;
    for (int i = threadIdx.x; i < rows.count && first + i < of.n; i += threads)
        of.x[first + i] = answer[i];
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < (int)(sizeof log / sizeof(int64_t)); i += threads)
            ((int64_t *)of.log)[i] = ((const int64_t *)&log)[i];
}

template <typename real, int TILE, bool WIDE>
__global__ void __launch_bounds__(TILE *ROW_THREADS, 1) seidel_exact(const struct solver<real> of)
{
    using own = shape<real, TILE>;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ struct solver_log log;
    __shared__ int64_t end;
    __shared__ __align__(16) real x[2][TILE];
    typename own::pack *const ring = (typename own::pack *)memory;
    const int mine = blockIdx.x * of.owned, owned = min(of.owned, of.blocks - mine);
    const int first = mine * TILE;
    const unsigned blocks = gridDim.x;
    struct block_rows<real> rows;
    rows.count = owned * TILE;
    rows.sums = (real *)(ring + own::RING_PACKS);
    rows.before = rows.sums + rows.count;
    rows.b = rows.before + rows.count;
    rows.x = rows.b + rows.count;
    rows.x_before = rows.x + rows.count;

    begin_rows(of, first, own::THREADS, rows);
    if (threadIdx.x == 0)
        solver_begin(&log);
    real *const inverses = of.inverse + (int64_t)first * TILE;
    for (int q = 0; q < owned; q++)
        invert<real, TILE>(of.a, of.n, of.rule.omega, first + q * TILE, (real *)memory, inverses + q * TILE * TILE);
    struct stream<real, TILE, WIDE> stream;
    stream.begin(of.a, of.n, of.blocks, ring, first, owned);
    typename own::part tile, inverse;
    inverse = part_of<real, TILE>(inverses + threadIdx.x / ROW_THREADS * TILE);
    int turn = 0; /* x_J alternates between two places, since some threads may still read the last one */

    for (int64_t k = 0;; k++) {
        const unsigned tag = (unsigned)(k + 1);
        tagged_value<double> *const squares = of.sum_values + k % 2 * blocks;
        send_squares<real, own::THREADS>(rows, squares + blockIdx.x, tag);
        for (int column = 0; column < of.blocks; column++, turn ^= 1) {
            const int here = column - mine; /* index among the thread block's own blocks of x, if it is one of them */
            const bool found_here = here >= 0 && here < owned;
            tagged_value<real> *const tagged_value = of.x_values + (int64_t)column * TILE;
            if (found_here) {
                __syncthreads(); /* the sums are complete before find() reads them */
                find<real, TILE>(rows, here, inverse, x[turn], tagged_value, tag);
                const int next = here + 1 < owned ? here + 1 : 0;
                inverse = part_of<real, TILE>(inverses + ((int64_t)next * TILE + threadIdx.x / ROW_THREADS) * TILE);
            }
            stream.next(tile);
            if (!found_here)
                wait_for<real, TILE>(tagged_value, tag, (column + 1) % of.blocks == mine, x[turn]);
            __syncthreads(); /* x_J is complete before anyone multiplies by it */
            multiply(stream, rows, tile, x[turn], here, of.rule.omega);
        }
        double sum = 0;
        for (unsigned i = threadIdx.x; i < blocks; i += own::THREADS)
            sum += tagged_value_wait(squares + i, tag);
        sum = solver_block_sum<own::THREADS>(sum);
        if (threadIdx.x == 0)
            end = solver_note(&of.rule, &log, k, sqrt(sum));
        __syncthreads(); /* the first thread has written `end` before anyone reads it */
        if (end != SOLVER_RUNNING)
            break;
    }
    copy_async_wait<0>();
    store_answer(of, first, own::THREADS, rows, log);
}

/* --- The launch --- */

struct state {
    const void *kernel;
    int blocks, owned, grid, threads;
    size_t shared_bytes;
    void *inverse;
    void *values; /* the values of x, then those of the sums */
    size_t x_bytes, values_bytes;
};

/* Plans the launch: a thread block owns as few blocks of x as allow all thread blocks to run at once. */
template <typename real, int TILE> static int plan(struct job *job)
{
    using own = shape<real, TILE>;
    struct state *state = (struct state *)job->state;
    const int64_t n = job->cell->n;
    int device, multiprocessors, most, resident;
    cudaFuncAttributes attributes;
    state->kernel = n % own::COUNT == 0 ? (const void *)seidel_exact<real, TILE, true>
                                        : (const void *)seidel_exact<real, TILE, false>;
    state->threads = own::THREADS;
    state->blocks = (int)((n + TILE - 1) / TILE);
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CUDA_TRY(job, cudaFuncGetAttributes(&attributes, state->kernel));
    const int room = most - (int)attributes.sharedSizeBytes;
    CUDA_TRY(job, cudaFuncSetAttribute(state->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       room)); /* the limit does not depend on n */
    for (state->owned = 1;; state->owned++) {
        state->shared_bytes =
            own::RING_PACKS * sizeof(typename own::pack) + (size_t)state->owned * TILE * ROW_ARRAYS * sizeof(real);
        if (state->shared_bytes > (size_t)room)
            return job_fail(job, "n = %lld needs more shared memory than %d bytes a thread block", (long long)n, room);
        CUDA_TRY(job, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, state->kernel, own::THREADS,
                                                                    state->shared_bytes));
        state->grid = (state->blocks + state->owned - 1) / state->owned;
        if (state->grid <= resident * multiprocessors)
            return 0;
    }
}

template <typename real, int TILE> static int allocate(struct job *job)
{
    struct state *state = (struct state *)job->state;
    const size_t padded = (size_t)state->blocks * TILE;
    state->x_bytes = (padded * sizeof(tagged_value<real>) + 15) / 16 * 16;
    state->values_bytes = state->x_bytes + 2 * (size_t)state->grid * sizeof(tagged_value<double>);
    CUDA_TRY(job, cudaMalloc(&state->inverse, padded * TILE * sizeof(real)));
    CUDA_TRY(job, cudaMalloc(&state->values, state->values_bytes));
    return 0;
}

template <typename real, int TILE> static int prepare(struct job *job)
{
    return plan<real, TILE>(job) != 0 ? -1 : allocate<real, TILE>(job);
}

CUDA_ENTRY void seidel_cuda_exact_release(struct job *job)
{
    struct state *state = (struct state *)job->state;
    cudaFree(state->inverse);
    cudaFree(state->values);
    delete state;
    job->state = NULL;
}

CUDA_ENTRY int seidel_cuda_exact_prepare(struct job *job)
{
    const bool small = job->cell->tile == SMALL_TILE;
    job->state = new struct state();
    const int status = job->cell->precision == F32
                           ? small ? prepare<float, SMALL_TILE>(job) : prepare<float, LARGE_TILE>(job)
                       : small ? prepare<double, SMALL_TILE>(job)
                               : prepare<double, LARGE_TILE>(job);
    if (status != 0)
        seidel_cuda_exact_release(job);
    return status;
}

template <typename real> static int launch(struct job *job)
{
    const struct state *state = (const struct state *)job->state;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    struct solver<real> of;
    of.n = (int)job->cell->n;
    of.blocks = state->blocks;
    of.owned = state->owned;
    of.rule = solver_rule_of(job->cell);
    of.a = (const real *)job->operand[SOLVER_A];
    of.b = (const real *)job->operand[SOLVER_B];
    of.inverse = (real *)state->inverse;
    of.x_values = (tagged_value<real> *)state->values;
    of.sum_values = (tagged_value<double> *)((char *)state->values + state->x_bytes);
    of.x = (real *)job->operand[SOLVER_X];
    of.log = (struct solver_log *)job->operand[SOLVER_LOG];
    void *arguments[] = {&of};
    CUDA_TRY(job, cudaMemsetAsync(state->values, 0, state->values_bytes, stream));
    CUDA_TRY(job, cudaLaunchCooperativeKernel(state->kernel, dim3(state->grid), dim3(state->threads), arguments,
                                              state->shared_bytes, stream));
    return 0;
}

CUDA_ENTRY_BY_FLOAT(seidel_cuda_exact)

#else

static const char *reject(const struct cell *cell)
{
    return cuda_built_reason("tile", cell->tile, CUDA_LIST(TILES));
}

VARIANT(seidel, cuda_exact) = {
    .summary = "one launch for all sweeps, blocks of x solved in order and broadcast",
    .summary_ru = "один запуск на все итерации, блоки x решаются по порядку и рассылаются",
    .source = "tilelab",
    .precisions = FLOATS,
    .axes = HONOURS(tile),
    .defaults = {.tile = 64},
    .unit = UNIT_MEMORY,
    .compute_capability = 80,
    .typical_gflops = 800,
    .reject = reject,
};

#endif
