/* A = L U in place on tensor cores by tiles; one kernel, whose thread blocks wait for each other's tiles.
 * A (n x n) is row-major and contiguous; n is at most 32768. No pivoting: the run fails at a pivot that is 0, or whose
 * reciprocal is beyond the precision. A thread block takes the next tile in the order of steps. It subtracts products
 * L U as soon as their tiles are ready. Then it factors the tile, or solves with the factored tile on the diagonal.
 * f64 is multiplied directly, and f32 as three TF32 products. It needs compute capability 8.0.
 * Differs from cuda-blocked: sums stay in registers over all steps, and steps overlap. Source: tilelab, after PLASMA.
 * SPDX-License-Identifier: MIT */
#include "cuda_variant.cuh"

#ifdef __CUDACC__

#include "diagonal_tile.cuh"
#include "trace_variant.cuh"

/* How far the factorisation has come, on the device. */
struct progress {
    int ticket;    /* tiles that thread blocks have taken */
    int diagonal;  /* factored tiles on the diagonal */
    int counts[1]; /* finished tiles of L in each row of tiles, then finished tiles of U in each column */
};

template <typename real> struct dataflow_task {
    real *a, *inverses;
    int n, tiles; /* tiles: along a side */
    struct progress *progress;
    lu_bad_pivot *bad_pivot;
};

template <typename real, int SIDE> struct dataflow_memory {
    enum { ROW = SIDE + 4, STRIPS = SIDE / SQUARE };
    union {
        real ring[square_tile<real, SIDE>::SHARED_BYTES / sizeof(real)];
        struct {
            real tile[SIDE * ROW];
            union {
                square_memory<real> square;
                real factors[STRIPS * (STRIPS + 1) / 2 * SQUARE * SQUARE_ROW];
            };
        };
    };
    mbarrier factored[TOLD]; /* for factor_tile() */
    int told;                /* what thread 0 tells the others */
};

__device__ static inline int load_acquire(const int *from)
{
    int value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__device__ static inline void store_release(int *to, int value)
{
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

/* Waits until more than `have` tiles in each of two rows or columns are finished; tells how many are, at most `most`.
 * Thread 0 calls this. */
__device__ static inline int await(const int *a, const int *b, int have, int most)
{
    for (;;) {
        const int count = min(load_acquire(a), load_acquire(b));
        if (count > have)
            return min(count, most);
        __nanosleep(20);
    }
}

/* The tile of a ticket, in the order of steps. Step k has the tile (k, k), then in turn the tiles below it and to its
 * right. */
__device__ static inline void tile_of_ticket(int ticket, int tiles, int *i, int *j)
{
    const int left = tiles * tiles - ticket;
    int side = (int)sqrtf((float)left);
    while (side * side < left)
        side++;
    while ((side - 1) * (side - 1) >= left)
        side--;
    const int at = side * side - left, away = (at + 1) / 2, k = tiles - side;
    *i = k + (at % 2 ? away : 0);
    *j = k + (at % 2 ? 0 : away);
}

/* Copies the tile between shared memory and A. */
template <typename real, int SIDE, bool WIDE>
__device__ static inline void store_tile(real *to, int64_t ld, const real *tile, int rows, int cols)
{
    enum { ROW = SIDE + 4, AT_ONCE = WIDE ? 16 / sizeof(real) : 1, A_ROW = SIDE / AT_ONCE };
    struct __align__(AT_ONCE * sizeof(real)) vector
    {
        real at[AT_ONCE];
    };
#pragma unroll 4
    for (int at = threadIdx.x; at < SIDE * A_ROW; at += square_tile<real, SIDE>::THREADS) {
        const int i = at / A_ROW, j = at % A_ROW * AT_ONCE;
        if (i < rows && j < cols)
            *(vector *)(to + i * ld + j) = *(const vector *)(tile + i * ROW + j);
    }
}

template <typename real, int SIDE, bool WIDE>
__global__ void __launch_bounds__(square_tile<real, SIDE>::THREADS, 256 / square_tile<real, SIDE>::THREADS)
    lu_dataflow(dataflow_task<real> task)
{
    enum { ROW = SIDE + 4, STRIPS = SIDE / SQUARE };
    extern __shared__ __align__(16) unsigned char memory[];
    auto *const shared = (dataflow_memory<real, SIDE> *)memory;
    const int64_t ld = task.n;
    int *const left = task.progress->counts, *const up = left + task.tiles;
    TRACE_BLOCK(SIDE)
    if (threadIdx.x < TOLD)
        mbarrier_init(shared->factored + threadIdx.x);
    for (;;) {
        if (threadIdx.x == 0)
            shared->told = atomicAdd(&task.progress->ticket, 1);
        __syncthreads(); /* all threads read the ticket; the last tile is no longer needed */
        const int ticket = shared->told;
        if (ticket >= task.tiles * task.tiles)
            return;
        int i, j;
        tile_of_ticket(ticket, task.tiles, &i, &j);
        const int steps = min(i, j), rows = min(task.n - i * SIDE, SIDE), cols = min(task.n - j * SIDE, SIDE);
        real *const own = task.a + (int64_t)i * SIDE * ld + j * SIDE;
        TRACE_WORK(COPY)
        block_sums<square_tile<real, SIDE>> sums; /* the products minus the tile of A */
        sums.template load_negative<WIDE>(own, ld, rows, cols);
        for (int done = 0; done < steps;) {
            TRACE_WORK(WAIT)
            __syncthreads(); /* all threads have read what they were told, and the ring is free */
            if (threadIdx.x == 0)
                shared->told = await(left + i, up + j, done, steps);
            __syncthreads(); /* all threads know how many tiles are finished, and see them */
            const int ready = shared->told;
            TRACE_WORK(UPDATE)
            block_product<square_tile<real, SIDE>, WIDE> product(
                shared->ring, task.a + (int64_t)i * SIDE * ld + done * SIDE,
                task.a + (int64_t)done * SIDE * ld + j * SIDE, ld, rows, cols, (ready - done) * SIDE);
            product.start();
            product.run(sums.sum);
            done = ready;
        }
        __syncthreads(); /* the ring is read before the tile overwrites it */
        TRACE_WORK(COPY)
        sums.each([&](int row, int col, real *two) {
            pair<real> value = {{-two[0], -two[1]}};
            if (i == j && row == col && row >= rows)
                value.at[0] = 1;
            if (i == j && row == col + 1 && row >= rows)
                value.at[1] = 1;
            *(pair<real> *)(shared->tile + row * ROW + col) = value;
        });
        real *const inverses = task.inverses + (int64_t)2 * steps * STRIPS * SQUARE_SIZE;
        if (i == j) {
            __syncthreads(); /* the tile is complete before anyone reads it */
            TRACE_WORK(FACTOR)
            factor_tile<real, SIDE>(shared->tile, &shared->square, shared->factored, inverses, (int64_t)i * SIDE, rows,
                                    task.bad_pivot);
        } else {
            TRACE_WORK(WAIT)
            if (threadIdx.x == 0)
                await(&task.progress->diagonal, &task.progress->diagonal, steps, steps + 1);
            __syncthreads(); /* all threads see the factored tile on the diagonal */
            TRACE_WORK(SOLVE)
            const real *const diagonal = task.a + steps * (ld + 1) * SIDE;
            if (i > j)
                solve_below<real, SIDE, WIDE>(shared->tile, shared->factors, diagonal, ld, inverses);
            else
                solve_right<real, SIDE, WIDE>(shared->tile, shared->factors, diagonal, ld, inverses);
            __syncthreads(); /* all warps have finished their parts of the tile before it is stored */
        }
        TRACE_WORK(COPY)
        store_tile<real, SIDE, WIDE>(own, ld, shared->tile, rows, cols);
        __syncthreads(); /* the tile is stored before thread 0 says so */
        if (threadIdx.x == 0)
            store_release(i == j ? &task.progress->diagonal : i > j ? left + i : up + j, steps + 1);
    }
}

/* --- The whole factorisation --- */

/* Larger matrices have large tiles, if they fit into shared memory. Small tiles have shorter chains of steps. */
enum { SMALL_MOST = 6000 };

struct state {
    struct progress *progress;
    void *inverses;
    lu_bad_pivot *bad_pivot;
    int side, blocks; /* of a tile; thread blocks that run at once */
};

static int tiles_of(int64_t n, int side)
{
    return (int)((n + side - 1) / side);
}

static size_t progress_bytes(int tiles)
{
    return sizeof(struct progress) + 2 * (size_t)tiles * sizeof(int);
}

template <typename real, int SIDE, bool WIDE> static int launch_kernel(struct job *job)
{
    const state *state = (const struct state *)job->state;
    const int n = (int)job->cell->n, tiles = tiles_of(n, SIDE);
    const int grid = tiles * tiles < state->blocks ? tiles * tiles : state->blocks;
    const cudaStream_t stream = (cudaStream_t)job->stream;
    const dataflow_task<real> task = {(real *)job->operand[0], (real *)state->inverses, n, tiles,
                                      state->progress,         state->bad_pivot};
    CUDA_TRY(job, cudaMemsetAsync(state->progress, 0, progress_bytes(tiles), stream));
    lu_dataflow<real, SIDE, WIDE>
        <<<grid, square_tile<real, SIDE>::THREADS, sizeof(dataflow_memory<real, SIDE>), stream>>>(task);
    CUDA_TRY(job, cudaGetLastError());
    return 0;
}

template <typename real, int SIDE> static int launch_side(struct job *job)
{
    return job->cell->n * sizeof(real) % 16 == 0 ? launch_kernel<real, SIDE, true>(job)
                                                 : launch_kernel<real, SIDE, false>(job);
}

template <typename real> static int launch(struct job *job)
{
    return ((const struct state *)job->state)->side == 128 ? launch_side<real, 128>(job) : launch_side<real, 64>(job);
}

CUDA_ENTRY_BY_FLOAT(lu_cuda_dataflow)

template <typename real, int SIDE> static int allow(struct job *job, struct state *state)
{
    const int bytes = sizeof(dataflow_memory<real, SIDE>), threads = square_tile<real, SIDE>::THREADS;
    int device, multiprocessors, each;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_TRY(job,
             cudaFuncSetAttribute(lu_dataflow<real, SIDE, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA_TRY(job,
             cudaFuncSetAttribute(lu_dataflow<real, SIDE, false>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    CUDA_TRY(job, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, lu_dataflow<real, SIDE, true>, threads, bytes));
    state->blocks = each * multiprocessors;
    return 0;
}

static int make(struct job *job, struct state *state)
{
    const int64_t n = job->cell->n;
    int device, shared_most;
    CUDA_TRY(job, cudaGetDevice(&device));
    CUDA_TRY(job, cudaDeviceGetAttribute(&shared_most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    state->side = n > SMALL_MOST && shared_most >= (int)sizeof(dataflow_memory<double, 128>) ? 128 : 64;
    const int tiles = tiles_of(n, state->side);
    const size_t size = job->cell->precision == F64 ? sizeof(double) : sizeof(float);
    CUDA_TRY(job, cudaMalloc(&state->progress, progress_bytes(tiles)));
    CUDA_TRY(job, cudaMalloc(&state->inverses, (size_t)tiles * state->side / SQUARE * 2 * SQUARE_SIZE * size));
    state->bad_pivot = lu_bad_pivot_new(job);
    if (!state->bad_pivot)
        return -1;
    if (job->cell->precision == F64)
        return state->side == 128 ? allow<double, 128>(job, state) : allow<double, 64>(job, state);
    return state->side == 128 ? allow<float, 128>(job, state) : allow<float, 64>(job, state);
}

CUDA_ENTRY void lu_cuda_dataflow_release(struct job *job)
{
    state *state = (struct state *)job->state;
    cudaFree(state->progress);
    cudaFree(state->inverses);
    cudaFree(state->bad_pivot);
    delete state;
    job->state = NULL;
}

CUDA_ENTRY int lu_cuda_dataflow_prepare(struct job *job)
{
    job->state = new state();
    if (make(job, (struct state *)job->state) == 0)
        return 0;
    lu_cuda_dataflow_release(job);
    return -1;
}

CUDA_ENTRY int lu_cuda_dataflow_check(struct job *job)
{
    return lu_bad_pivot_check(job, ((const state *)job->state)->bad_pivot);
}

#else

static const char *reject(const struct cell *cell)
{
    if (cell->n > 1 << 15)
        return cell_reason("n = %lld: tiles are counted for up to 32768 rows", (long long)cell->n);
    return NULL;
}

VARIANT(lu, cuda_dataflow) = {
    .summary = "tiles in the order of their dependences, by one kernel on tensor cores",
    .summary_ru = "тайлы в порядке зависимостей, одно ядро на тензорных ядрах",
    .source = "tilelab",
    .precisions = FLOATS,
    .tensor = FLOATS,
    .split = F32,
    .products = 3,
    .compute_capability = 80,
    .typical_gflops = 30000,
    .reject = reject,
    .unmodelled = "a thread block reads as many finished tiles at a time as there happen to be",
};

#endif
